// The customer's own columns of an order: the cells beside each number in the list of recipients. Stored in parts, in the order of
// the messages, so that a page of recipients finds its rows by their position; removed with the order.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Queryable, row, run, sql } from '../db/db.ts';
import { openBytes, sealBytes, sealTexts, shownTexts } from '../sealing/content.ts';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
const rowsPerPart = 1_000;

export type PackedColumns = { names: string[]; parts: Buffer[] };

/** `rows`: one for each message, in their order. Null if the list has only numbers. */
export async function packColumns(names: string[], rows: string[][]): Promise<PackedColumns | null> {
  if (names.length === 0) return null;
  const parts: Buffer[] = [];
  for (let from = 0; from < rows.length; from += rowsPerPart)
    parts.push(await pack(JSON.stringify(rows.slice(from, from + rowsPerPart)), { level: 1 }));
  return { names, parts };
}

const storeSql = sql('order columns store')`
  insert into order_columns (order_id, account_id, no, names, content)
  select $1, $2, place - 1, $3, content from unnest($4::bytea[]) with ordinality as t (content, place)
  on conflict (order_id, no, account_id) do nothing`;

/** Storing them again changes nothing. */
export function storeColumns(db: Queryable, accountId: number, orderId: number, columns: PackedColumns) {
  return run(db, storeSql, [orderId, accountId, sealTexts(columns.names), columns.parts.map(sealBytes)]);
}

const namesSql = sql<{ names: string[] }>('order columns names')`
  select names from order_columns where order_id = $1 and account_id = $2 and no = 0`;
const partSql = sql<{ content: Buffer }>('order columns part')`
  select content from order_columns where order_id = $1 and account_id = $2 and no = $3`;

export async function columnNames(db: Queryable, accountId: number, orderId: number): Promise<string[]> {
  return shownTexts((await row(db, namesSql, [orderId, accountId]))?.names ?? []);
}

/** Reads rows by the position of their message; in ascending order each part is unpacked once. */
export function columnReader(db: Queryable, accountId: number, orderId: number): (place: number) => Promise<string[]> {
  let no = -1;
  let cells: string[][] = [];
  return async place => {
    const wanted = Math.floor(place / rowsPerPart);
    if (wanted !== no) {
      const found = await row(db, partSql, [orderId, accountId, wanted]);
      cells = found ? (JSON.parse(String(await unpack(openBytes(found.content)))) as string[][]) : [];
      no = wanted;
    }
    return cells[place % rowsPerPart] ?? [];
  };
}
