// A small table inside a card: no loading states, no sorting, the same on a phone. Everything else is a list (list.tsx).
import type { ReactNode } from 'react';

type PlainColumn<Row> = {
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** `wide-only`: left out on a phone. */
  className?: 'right' | 'mono' | 'wide-only';
};

type Props<Row> = {
  columns: PlainColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, at: number) => string;
  caption?: string;
};

export function PlainTable<Row>({ columns, rows, rowKey, caption }: Props<Row>) {
  const headOf = ({ className }: PlainColumn<Row>) => (className === 'mono' ? undefined : className);
  return (
    <table className="grid">
      {caption && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are written down, they have no other name
            <th key={at} scope="col" className={headOf(column)}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, rowAt) => (
          <tr key={rowKey(row, rowAt)}>
            {columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={at} className={column.className}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
