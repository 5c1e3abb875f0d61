// Stores large downloads as rows: the request, its progress, and the file in pieces of at most 1 MB, so that neither writing
// nor serving holds a whole file in memory.

import { lockBoundedLists, type Queryable, row, rows, run, runOf, sql, type Tx } from '../db/db.ts';
import { openBytes, openJson, sealBytes, sealJson, Unreadable } from '../sealing/content.ts';

type ExportState = 'waiting' | 'running' | 'ready' | 'failed';
export type ExportRow = {
  id: number;
  accountId: number;
  kind: string;
  format: 'csv' | 'xlsx';
  language: 'tr' | 'en';
  filter: Record<string, unknown>;
  state: ExportState;
  rowCount: number;
  bytes: number;
  /** Counts the attempts: a worker with an older number has lost the export. */
  attempt: number;
  createdAt: Date;
  expiresAt: Date | null;
  isFetched: boolean;
};

// Limits per account of running and of kept exports.
const exportsPerAccountMax = 10;
const underWayPerAccountMax = 3;
const attemptsMax = 3;

const columns = `id, account_id as "accountId", kind, format, language, filter, state, row_count as "rowCount", bytes, attempt,
  created_at as "createdAt", expires_at as "expiresAt", fetched_at is not null as "isFetched"`;

// The oldest finished export makes room for the new one.
const roomSql = sql('export room')`
  delete from exports where account_id = $1 and state in ('ready', 'failed') and id not in (
    select id from exports where account_id = $1 order by id desc limit $2)`;
const insertSql = sql<{ id: number }>('export insert')`
  insert into exports (account_id, kind, format, language, filter)
  select $1, $2, $3, $4, $5
  where (select count(*) from exports where account_id = $1 and state in ('waiting', 'running')) < $6 returning id`;

/** Returns null if too many exports of the account are running. */
export async function queueExport(
  tx: Tx,
  accountId: number,
  asked: Pick<ExportRow, 'kind' | 'format' | 'language' | 'filter'>,
): Promise<number | null> {
  const { kind, format, language, filter } = asked;
  await lockBoundedLists(tx, accountId);
  const made = await row(tx, insertSql, [accountId, kind, format, language, sealJson(filter), underWayPerAccountMax]);
  if (!made) return null;
  await run(tx, roomSql, [accountId, exportsPerAccountMax]);
  return made.id;
}

const listSql = {
  name: 'export list',
  text: `select ${columns} from exports where account_id = $1 and (expires_at is null or expires_at > $2)
    order by id desc limit ${exportsPerAccountMax}`,
};

export async function exportLines(db: Queryable, accountId: number, now: Date): Promise<ExportRow[]> {
  return (await rows<ExportRow>(db, listSql, [accountId, now])).map(opened);
}

const findSql = { name: 'export find', text: `select ${columns} from exports where account_id = $1 and id = $2` };

export async function findExport(db: Queryable, accountId: number, id: number): Promise<ExportRow | undefined> {
  const found = await row<ExportRow>(db, findSql, [accountId, id]);
  return found && opened(found);
}

/** The filter may contain a piece of text. If it was changed in the database it cannot be read, and the export has failed. */
function opened(one: ExportRow): ExportRow {
  try {
    return { ...one, filter: openJson(one.filter) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...one, filter: {}, state: 'failed' };
  }
}

const fetchedSql = sql('export fetched')`update exports set fetched_at = $3 where id = $1 and account_id = $2`;
const pieceSql = sql<{ content: Buffer }>('export piece')`
  select content from export_pieces where export_id = $1 and account_id = $2 and no = $3`;

export async function* exportContent(db: Queryable, accountId: number, id: number, now: Date): AsyncGenerator<Buffer> {
  for (let no = 0; ; no++) {
    const piece = await row(db, pieceSql, [id, accountId, no]);
    if (!piece) break;
    yield openBytes(piece.content);
  }
  await run(db, fetchedSql, [id, accountId, now]);
}

// A worker that died left the export `running` with a lease that expires; the third death ends it.
const claimSql = {
  name: 'export claim',
  text: `update exports set state = 'running', attempt = attempt + 1, lease_until = $2, row_count = 0, bytes = 0
    where id = (select id from exports where (state = 'waiting' or (state = 'running' and lease_until < $1))
      and attempt < ${attemptsMax} order by id limit 1 for update skip locked)
    returning ${columns}`,
};
const dropPiecesSql = sql('export drop pieces')`delete from export_pieces where export_id = $1 and account_id = $2`;
const giveUpSql = sql('export give up')`
  update exports set state = 'failed', expires_at = $2 where state = 'running' and lease_until < $1 and attempt >= $3`;

export async function claimExport(tx: Tx, now: Date, leaseUntil: Date, failedUntil: Date) {
  await run(tx, giveUpSql, [now, failedUntil, attemptsMax]);
  const claimed = await row<ExportRow>(tx, claimSql, [now, leaseUntil]);
  if (claimed) await run(tx, dropPiecesSql, [claimed.id, claimed.accountId]);
  const readable = claimed && opened(claimed);
  if (readable?.state !== 'failed') return readable;
  await finishExport(tx, readable, 'failed', 0, failedUntil);
  return undefined;
}

const keepSql = sql<{ id: number }>('export keep')`
  with held as (update exports set lease_until = $6, bytes = bytes + $5, row_count = $7
    where id = $1 and account_id = $8 and attempt = $2 and state = 'running' returning id, account_id)
  insert into export_pieces (export_id, account_id, no, content) select id, account_id, $3, $4 from held
  returning export_id as id`;

type Held = Pick<ExportRow, 'id' | 'accountId' | 'attempt'>;

/** Returns false if another worker has taken over, or the export was cancelled. */
export async function keepPiece(
  db: Queryable,
  of: Held,
  no: number,
  content: Buffer,
  rowCount: number,
  leaseUntil: Date,
): Promise<boolean> {
  const { id, attempt, accountId } = of;
  const kept = await row(db, keepSql, [
    id,
    attempt,
    no,
    sealBytes(content),
    content.length,
    leaseUntil,
    rowCount,
    accountId,
  ]);
  return kept !== undefined;
}

const finishSql = sql('export finish')`
  update exports set state = $3, row_count = $4, lease_until = null, expires_at = $5
  where id = $1 and account_id = $6 and attempt = $2 and state = 'running'`;

export function finishExport(
  db: Queryable,
  of: Held,
  state: 'ready' | 'failed',
  rowCount: number,
  expiresAt: Date,
): Promise<number> {
  return run(db, finishSql, [of.id, of.attempt, state, rowCount, expiresAt, of.accountId]);
}

export const sweepExports = runOf<[now: Date]>('export sweep')`
  delete from exports where expires_at < $1`;
