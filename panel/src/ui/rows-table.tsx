// A table of rows that are already loaded: no tools, no pages, no loading state.
import { useMemo } from 'react';
import { DataTable, type TableProps } from './data-table.tsx';
import type { Column } from './table-column.ts';

type Props<Row> = Pick<TableProps<Row>, 'label' | 'rowKey' | 'empty'> & {
  rows: Row[];
  columns: Column<Row>[] | (() => Column<Row>[]);
};

const noneHidden: string[] = [];

export function RowsTable<Row extends object>({ rows, columns, ...rest }: Props<Row>) {
  const shown = useMemo(() => (typeof columns === 'function' ? columns() : columns), [columns]);
  return (
    <DataTable
      {...rest}
      columns={shown}
      hidden={noneHidden}
      data={{ rows, isPending: false, error: null, since: 0, retry: () => {} }}
    />
  );
}
