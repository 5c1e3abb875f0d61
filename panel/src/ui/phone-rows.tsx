// A table on a phone: two lines for each row, title and state, then the details. The whole row is the target.
import { Link } from '@tanstack/react-router';
import { isValidElement, type ReactNode } from 'react';
import { SelectRow } from './select-rows.tsx';
import type { Column, Selection } from './table-column.ts';
import { Time } from './time.tsx';

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  onOpen?: (row: Row) => void;
  rowPath?: (row: Row) => string;
  selection?: Selection<Row>;
  isCurrent?: (row: Row) => boolean;
};

export function PhoneRows<Row>(props: Props<Row>) {
  const at = (place: Column<Row>['phone']) => props.columns.filter(column => column.phone === place);
  return (
    <ul className="rows" aria-label={props.label}>
      {props.rows.map(row => (
        <li
          key={props.rowKey(row)}
          className={props.selection && 'selectable'}
          aria-current={props.isCurrent?.(row) || undefined}
        >
          {props.selection && <SelectRow row={row} name={props.rowKey(row)} selection={props.selection} />}
          <RowTarget row={row} onOpen={props.onOpen} rowPath={props.rowPath}>
            <div>
              <span className="clip">
                {at('title').map(column => (
                  <span key={column.id}>
                    {column.phoneLabel && `${column.header} `}
                    {column.cell(row)}
                  </span>
                ))}
              </span>
              {at('state').map(column => (
                <span key={column.id}>
                  {column.phoneLabel && `${column.header}: `}
                  {column.cell(row)}
                </span>
              ))}
            </div>
            <div className="second">
              {at('line')
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
          </RowTarget>
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

// A row may contain buttons (copy, remove), which must not be inside another button: then the row is plain and its title is the
// link.
function RowTarget<Row>(props: {
  row: Row;
  onOpen?: (row: Row) => void;
  rowPath?: (row: Row) => string;
  children: ReactNode;
}) {
  const { onOpen, rowPath, row } = props;
  if (rowPath && !onOpen) {
    return (
      <Link to={rowPath(row)} className="row-two plain">
        {props.children}
      </Link>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard way is j/k and Enter, or the link inside the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className="row-two" onClick={event => !(event.target as HTMLElement).closest('a, button') && onOpen?.(row)}>
      {props.children}
    </div>
  );
}
