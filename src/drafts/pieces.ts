// The list of a draft as it was uploaded: rows of cells, in pieces. A list is uploaded once; the texts are computed from it
// each time the template changes.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Queryable, row, rows, run, sql, type Tx } from '../db/db.ts';
import { listLimits } from '../limits.ts';
import { openBytes, sealBytes, sealJson } from '../sealing/content.ts';
import { type Draft, type ListShape, lockDraft } from './drafts.ts';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
// 10,000 rows × 100 columns × 1,000 characters would be a gigabyte: larger pieces are refused, written or read.
const pieceBytesMax = 24 * 1024 * 1024;

const startSql = sql<{ listNo: number; version: number }>('draft start list')`
  update send_drafts set list_no = list_no + 1, shape = $3, row_count = $4, version = version + 1, updated_at = now()
  where id = $1 and account_id = $2 and sent_at is null returning list_no as "listNo", version`;
const clearSql = sql('draft clear pieces')`delete from send_draft_pieces where draft_id = $1 and account_id = $2`;

/** A new list replaces the previous one; its pieces follow. Returns undefined if the draft is gone. */
export async function startList(tx: Tx, accountId: number, id: number, shape: ListShape, rowCount: number) {
  const started = await row(tx, startSql, [id, accountId, sealJson(shape), rowCount]);
  if (started) await run(tx, clearSql, [id, accountId]);
  return started;
}

const putSql = sql('draft put piece')`
  insert into send_draft_pieces (draft_id, account_id, no, row_count, content) values ($1, $2, $3, $4, $5)
  on conflict (draft_id, no, account_id) do update set row_count = excluded.row_count, content = excluded.content`;
const bytesSql = sql<{ bytes: number }>('draft bytes')`
  select coalesce(sum(octet_length(content)), 0)::bigint as bytes from send_draft_pieces where draft_id = $1 and account_id = $2`;

type Put = 'stored' | 'gone' | 'outdated' | 'too-large';

export async function putPiece(
  tx: Tx,
  accountId: number,
  at: { id: number; listNo: number; no: number },
  cells: string[][],
): Promise<Put> {
  const json = JSON.stringify(cells);
  if (json.length > pieceBytesMax) return 'too-large';
  const content = await packJson(json);
  const draft = await lockDraft(tx, accountId, at.id);
  if (!draft || draft.orderIds) return 'gone';
  if (draft.listNo !== at.listNo) return 'outdated';
  const { bytes } = (await row(tx, bytesSql, [at.id, accountId]))!;
  if (bytes + content.length > listLimits.bytes) return 'too-large';
  await run(tx, putSql, [at.id, accountId, at.no, cells.length, content]);
  return 'stored';
}

/** Cells as a piece stores them. */
export function packCells(cells: string[][]): Promise<Buffer> {
  return packJson(JSON.stringify(cells));
}

async function packJson(json: string): Promise<Buffer> {
  return sealBytes(await pack(json, { level: 1 }));
}

const pieceSql = sql<{ content: Buffer }>('draft piece')`
  select content from send_draft_pieces where draft_id = $1 and account_id = $2 and no = $3`;

export async function readPiece(
  db: Queryable,
  accountId: number,
  id: number,
  no: number,
): Promise<string[][] | undefined> {
  const found = await row(db, pieceSql, [id, accountId, no]);
  if (!found) return undefined;
  const json = await unpack(openBytes(found.content), { maxOutputLength: 4 * pieceBytesMax });
  return JSON.parse(json.toString('utf8')) as string[][];
}

const presentSql = sql<{ no: number; rowCount: number }>('draft pieces present')`
  select no, row_count as "rowCount" from send_draft_pieces where draft_id = $1 and account_id = $2 order by no`;

/** Whether all pieces of the list have arrived. */
export async function isListWhole(db: Queryable, draft: Draft): Promise<boolean> {
  const present = await rows(db, presentSql, [draft.id, draft.accountId]);
  const inOrder = present.every((one, i) => one.no === i);
  return inOrder && present.reduce((sum, one) => sum + one.rowCount, 0) === draft.rowCount;
}

/** The pieces of the list in order, one at a time. */
export async function* piecesOf(db: Queryable, draft: Draft): AsyncGenerator<string[][]> {
  for (let no = 0; ; no++) {
    const cells = await readPiece(db, draft.accountId, draft.id, no);
    if (!cells) return;
    yield cells;
  }
}
