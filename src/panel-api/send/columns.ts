// Finds the order that a slice of a list became, to store the customer's own columns with it. Orders without a valid recipient
// are left out, so an order is recognised by its first recipient, which is in no other order of the send.
import { type Queryable, rows, sql } from '../../db/db.ts';
import type { ListShape } from '../../drafts/drafts.ts';
import type { Slice } from '../../drafts/walk.ts';
import { badNumberText, parseNumber } from '../../numbers/phone.ts';
import { type PackedColumns, packColumns, storeColumns } from '../../orders/order-columns.ts';

export type SliceColumns = { first: string; columns: PackedColumns };

export async function columnsOfSlice(shape: ListShape, slice: Slice, abroad: boolean): Promise<SliceColumns | null> {
  const places = shape.names.map((_, at) => at).filter(at => at !== shape.numberColumn && shape.names[at] !== '');
  const cells = slice.texts.flatMap(text => text.cells.map(row => places.map(at => row[at] ?? '')));
  const columns = await packColumns(
    places.map(at => shape.names[at]!),
    cells,
  );
  const given = slice.texts[0]?.recipients[0];
  if (!columns || given === undefined) return null;
  const number = parseNumber(given, abroad);
  return { first: number > 0 ? String(number) : badNumberText(given), columns };
}

const firstsSql = sql<{ id: number; first: string }>('order first recipients')`
  select o.id, coalesce(m.number::text, m.given, '') as first from orders o
  join messages m on m.id = o.first_message_id and m.account_id = o.account_id
  where o.account_id = $1 and o.id = any ($2)`;

export async function storeSliceColumns(
  db: Queryable,
  accountId: number,
  orderIds: number[],
  slices: (SliceColumns | null)[],
): Promise<void> {
  const byFirst = new Map(slices.flatMap(one => (one ? [[one.first, one.columns] as const] : [])));
  if (byFirst.size === 0) return;
  for (const { id, first } of await rows(db, firstsSql, [accountId, orderIds])) {
    const columns = byFirst.get(first);
    if (columns) await storeColumns(db, accountId, id, columns);
  }
}
