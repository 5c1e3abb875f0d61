// A table on a phone: two lines a row, what + state above, when + number below. The whole row is the target.
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
};

export function PhoneRows<Row>(props: Props<Row>) {
  const at = (place: Column<Row>['phone']) => props.columns.filter(column => column.phone === place);
  return (
    <ul className="rows" aria-label={props.label}>
      {props.rows.map(row => (
        <li key={props.rowKey(row)} className={props.selection && 'selectable'}>
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

/** Without a header above it a dash says nothing. */
function isBlank(content: ReactNode): boolean {
  if (isValidElement<{ at?: unknown }>(content) && content.type === Time) return !content.props.at;
  return content === '–';
}

// A row may hold buttons of its own (copy, remove), which must not stand inside another button: then the row is plain
// and its title carries the link.
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
