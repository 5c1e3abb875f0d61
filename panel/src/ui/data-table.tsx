// The table of the console. State from TanStack Table (sorting of the loaded rows, visible columns); ours are the skeleton in
// the shape of the table, the old rows kept when a load fails, two-line rows on a phone.
import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  columnVisibilityFeature,
  createSortedRowModel,
  type ReactTable,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
import { t } from '../text/language.ts';
import { NoRows } from './no-rows.tsx';
import { LoadError } from './notes.tsx';
import { PhoneRows } from './phone-rows.tsx';
import { useRowKeys } from './row-keys.ts';
import { SelectAll, SelectRow, toggleRow } from './select-rows.tsx';
import type { Column, Selection, TableData } from './table-column.ts';

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, sortedRowModel: createSortedRowModel() });

export type TableProps<Row> = {
  label: string;
  hidden: readonly string[];
  columns: Column<Row>[];
  data: TableData<Row>;
  rowKey: (row: Row) => string;
  /** Opens the row (see `useRowKeys`), by a middle click in another tab where `rowPath` gives an address. */
  onOpen?: (row: Row) => void;
  rowPath?: (row: Row) => string;
  empty: ReactNode;
  filtered?: boolean;
  onClear?: () => void;
  footer?: ReactNode;
  selection?: Selection<Row>;
  isCurrent?: (row: Row) => boolean;
  compact?: boolean;
};

const skeletonRows = [1, 2, 3, 4, 5, 6];

export function DataTable<Row extends object>(props: TableProps<Row>) {
  const phone = useMediaQuery('(max-width: 47.9em)', false, { getInitialValueInEffect: false });
  const narrow = phone || props.compact === true;
  const { columns, data, hidden } = props;
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const rows = data.rows ?? noRows;
  const table = useTable({
    features,
    data: rows as Row[],
    columns: definitions,
    getRowId: props.rowKey,
    state: { columnVisibility: Object.fromEntries(hidden.map(id => [id, false])) },
    enableSortingRemoval: true,
  });
  const shown = table.getRowModel().rows.map(row => row.original);
  const { selection } = props;
  const rowProps = useRowKeys(shown, {
    onOpen: props.onOpen,
    rowPath: props.rowPath,
    follows: props.isCurrent !== undefined,
    onSelect: selection && (row => toggleRow(selection, props.rowKey(row))),
  });
  const visible = columns.filter(column => !hidden.includes(column.id));
  if (data.isPending && !data.rows) return <TableSkeleton columns={visible} narrow={narrow} />;
  if (data.error && !data.rows) return <LoadError error={data.error} retry={data.retry} />;
  return (
    <>
      {data.error ? <LoadError error={data.error} since={data.since} retry={data.retry} /> : null}
      <div className="list-rows" tabIndex={-1}>
        {rows.length === 0 ? (
          <NoRows {...props} />
        ) : narrow ? (
          <PhoneRows
            label={props.label}
            rows={shown}
            columns={columns}
            rowKey={props.rowKey}
            rowProps={rowProps}
            selection={props.selection}
            isCurrent={props.isCurrent}
          />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
          <section className="grid-scroll" aria-label={props.label} tabIndex={0}>
            <table className="grid">
              <caption className="visually-hidden">{props.label}</caption>
              <thead>
                <tr>
                  {props.selection && <SelectAll rows={shown} rowKey={props.rowKey} selection={props.selection} />}
                  {visible.map(column => (
                    <HeaderCell key={column.id} column={column} table={table as unknown as AnyTable} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((row, at) => (
                  <tr key={props.rowKey(row)} {...rowProps(row, at)} aria-current={props.isCurrent?.(row) || undefined}>
                    {props.selection && (
                      <td>
                        <SelectRow row={row} name={props.rowKey(row)} selection={props.selection} />
                      </td>
                    )}
                    {visible.map(column => (
                      <td key={column.id} className={column.align} style={{ width: column.width }}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
      {props.footer && <div className="table-footer">{props.footer}</div>}
    </>
  );
}

const noRows: never[] = [];
type AnyTable = ReactTable<typeof features, object>;

function definitionOf<Row extends object>(column: Column<Row>) {
  return {
    id: column.id,
    header: column.header,
    accessorFn: (row: Row) => (column.sort ? column.sort(row) : column.id),
    enableSorting: column.sort !== undefined,
    sortFn: (a: { original: Row }, b: { original: Row }) =>
      compare(column.sort?.(a.original), column.sort?.(b.original)),
  };
}

const collator = new Intl.Collator('tr', { numeric: true });
function compare(a: string | number | undefined, b: string | number | undefined): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a ?? ''), String(b ?? ''));
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

function HeaderCell<Row>({ column, table }: { column: Column<Row>; table: AnyTable }) {
  const state = table.getColumn(column.id);
  const sorted = state?.getIsSorted() || undefined;
  const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={column.align}
      aria-sort={sorted ? ariaSort[sorted] : undefined}
      style={{ width: column.width }}
    >
      {column.sort ? (
        <button type="button" className="sort" onClick={() => state?.toggleSorting()}>
          {column.header}
          {sorted && <Arrow size={13} aria-hidden />}
        </button>
      ) : (
        column.header || <span className="visually-hidden">{t.table.actions}</span>
      )}
    </th>
  );
}

function TableSkeleton<Row>(props: { columns: Column<Row>[]; narrow: boolean }) {
  const cells = props.narrow ? props.columns.slice(0, 1) : props.columns;
  return (
    <div className="list-rows late" aria-busy="true" role="status" aria-label={t.load.loading}>
      <table className="grid">
        <thead>
          <tr>
            {cells.map(column => (
              <th key={column.id}>{column.header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {skeletonRows.map(row => (
            <tr key={row}>
              {cells.map(column => (
                <td key={column.id}>
                  <Skeleton height={12} width={column.align === 'right' ? 48 : `${55 + ((row * 13) % 35)}%`} my={4} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
