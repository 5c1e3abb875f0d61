// The statements of dispatcher leases. A dispatcher proves its life by a growing number; the others judge it by their own monotonic
// clocks, so neither a wrong wall clock nor a paused machine makes a living dispatcher look dead to itself.
import { type Queryable, row, rowOf, rowsOf, runOf, sql } from '../db/db.ts';
import { columnsOf, type Mark } from './claim.ts';

const registerSql = sql<{ id: number }>('dispatcher register')`
  insert into dispatchers (node) values ($1) returning id`;
const beatSql = sql<{ beat: number }>('dispatcher beat')`
  update dispatchers set beat = beat + 1 where id = $1 returning beat`;
/** The stored numbers of our last heartbeat and our last batch. */
export const storedStanding = rowOf<{ beat: number; flush: number }, [id: number]>('dispatcher standing')`
  select beat, flush from dispatchers where id = $1`;
export const otherDispatchers = rowsOf<{ id: number; beat: number }, [id: number]>('dispatcher others')`
  select id, beat from dispatchers where id <> $1`;
/**
 * Stores which chunk a lane is being prepared from; null: none. Without waiting for the disk: it matters only if this process dies,
 * not if the server does.
 */
export const noteWork = runOf<[id: number, lane: 0 | 1, chunk: number | null]>('dispatcher working')`
  with soon as (select set_config('synchronous_commit', 'off', true))
  update dispatchers set working[$2::integer + 1] = $3 from soon where id = $1`;
/**
 * For chunks that were counted as the cause of a death that did not happen: a chunk that is quarantined after two deaths is released;
 * one with a certain fault stays quarantined.
 */
export const clearSuspicion = runOf<[chunks: number[]]>('dispatcher clear suspicion')`
  update chunks set lost = lost - 1 where id = any ($1::bigint[]) and lost between 1 and 2`;
const releaseSql = sql<{ chunks: number }>('dispatcher release')`
  select release($1, $2, $3, $4, $5) as chunks`;
/** Ends the session that holds a dead dispatcher's slots, so that others may bind in its place; returns when it has ended. */
export const endSlotSession = runOf<[id: number]>('dispatcher session')`
  select pg_terminate_backend(l.pid, 5000) from pg_locks l
  where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = (7032 # lock_salt()::bigint & 4294967295)::oid and l.objid = $1::bigint::oid and l.objsubid = 2 and l.granted`;

/** First key of the advisory lock that names the dispatcher of a session. */
export const dispatcherLockSpace = 7_032;

export async function registerDispatcher(db: Queryable, node: string): Promise<number> {
  return (await row(db, registerSql, [node]))!.id;
}

/** The new number; undefined if other dispatchers have declared this one dead. */
export async function beat(db: Queryable, id: number): Promise<number | undefined> {
  return (await row(db, beatSql, [id]))?.beat;
}

/** `holdMs`: the pause before a decision about messages that may be on the air. `written`: how far its chunks were written; null: to their marks. */
export async function releaseLeases(
  db: Queryable,
  id: number,
  holdMs = 0,
  written: Mark[] | null = null,
): Promise<number> {
  const columns = written ? columnsOf(written) : [null, null, null];
  return (await row(db, releaseSql, [id, holdMs, ...columns]))!.chunks;
}
