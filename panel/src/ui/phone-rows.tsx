// A table on a phone: two lines for each row, title and state, then the details. The whole row is the target.
import { isValidElement, type ReactNode } from 'react';
import type { RowProps } from './row-keys.ts';
import { SelectRow } from './select-rows.tsx';
import type { Column, Selection } from './table-column.ts';
import { Time } from './time.tsx';

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  rowProps: (row: Row, at: number) => RowProps;
  selection?: Selection<Row>;
  isCurrent?: (row: Row) => boolean;
};

export function PhoneRows<Row>(props: Props<Row>) {
  const placed = (place: Column<Row>['phone']) => props.columns.filter(column => column.phone === place);
  return (
    <ul className="rows" aria-label={props.label}>
      {props.rows.map((row, at) => (
        <li
          key={props.rowKey(row)}
          {...props.rowProps(row, at)}
          data-selectable={props.selection ? true : undefined}
          aria-current={props.isCurrent?.(row) || undefined}
        >
          {props.selection && <SelectRow row={row} name={props.rowKey(row)} selection={props.selection} />}
          <div className="row-two">
            <div>
              <span className="clip">
                {placed('title').map(column => (
                  <span key={column.id}>
                    {column.phoneLabel && `${column.header} `}
                    {column.cell(row)}
                  </span>
                ))}
              </span>
              {placed('state').map(column => (
                <span key={column.id}>
                  {column.phoneLabel && `${column.header}: `}
                  {column.cell(row)}
                </span>
              ))}
            </div>
            <div className="second">
              {placed('line')
                .map(column => ({
                  id: column.id,
                  label: column.phoneLabel ? `${column.header}: ` : '',
                  content: column.cell(row),
                }))
                .filter(({ content }) => !isBlank(content))
                .map(({ id, label, content }) => (
                  <span key={id} style={{ minWidth: 0 }}>
                    {label}
                    {content}
                  </span>
                ))}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A dash means nothing without its column header. */
function isBlank(content: ReactNode): boolean {
  if (isValidElement<{ at?: unknown }>(content) && content.type === Time) return !content.props.at;
  return content === '–';
}
