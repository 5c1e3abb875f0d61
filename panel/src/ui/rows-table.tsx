// A table of rows that came with something else: no tools, no pages, nothing to wait for.
import { useMemo } from 'react';
import { DataTable, type TableProps } from './data-table.tsx';
import type { Column } from './table-column.ts';

type Props<Row> = Pick<TableProps<Row>, 'name' | 'label' | 'rowKey' | 'empty'> & {
  rows: Row[];
  columns: Column<Row>[] | (() => Column<Row>[]);
};

export function RowsTable<Row extends object>({ rows, columns, ...rest }: Props<Row>) {
  const shown = useMemo(() => (typeof columns === 'function' ? columns() : columns), [columns]);
  return (
    <DataTable {...rest} columns={shown} data={{ rows, isPending: false, error: null, since: 0, retry: () => {} }} />
  );
}
