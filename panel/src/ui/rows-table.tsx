// A table of rows that are already loaded: no tools, no pages, no loading state.
import { useMemo } from 'react';
import { ColumnChoice, useHiddenColumns } from './column-choice.tsx';
import { DataTable, type TableProps } from './data-table.tsx';
import type { Column } from './table-column.ts';

type Props<Row> = Pick<TableProps<Row>, 'label' | 'rowKey' | 'empty'> & {
  /** Names the table, for its stored columns. */
  name: string;
  rows: Row[];
  columns: Column<Row>[] | (() => Column<Row>[]);
};

export function RowsTable<Row extends object>({ rows, columns, name, ...rest }: Props<Row>) {
  const shown = useMemo(() => (typeof columns === 'function' ? columns() : columns), [columns]);
  const [hidden, setHidden] = useHiddenColumns(name, shown);
  const canHide = shown.some(column => column.hideable);
  return (
    <DataTable
      {...rest}
      columns={shown}
      hidden={hidden}
      choice={canHide && <ColumnChoice columns={shown} hidden={hidden} onChange={setHidden} />}
      data={{ rows, isPending: false, error: null, since: 0, retry: () => {} }}
    />
  );
}
