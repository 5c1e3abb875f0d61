// Who dispatches, and who no longer does. A dispatcher proves its life by a growing number; the others judge by their own
// monotonic clocks, so neither a wrong wall clock nor a paused machine makes the living look dead to themselves.
import { arrayLiteral, type Queryable, row, rows, run, sql } from '../db/db.ts';

const registerSql = sql<{ id: number }>('dispatcher register')`
  insert into dispatchers (node) values ($1) returning id`;
const beatSql = sql<{ beat: number }>('dispatcher beat')`
  update dispatchers set beat = beat + 1 where id = $1 returning beat`;
const standingSql = sql<{ beat: number; flush: number }>('dispatcher standing')`
  select beat, flush from dispatchers where id = $1`;
export type OtherDispatcher = { id: number; beat: number };
const othersSql = sql<OtherDispatcher>('dispatcher others')`
  select id, beat from dispatchers where id <> $1`;
// Not waited for by the disk: it is for our own death, not the server's.
const workingSql = sql('dispatcher working')`
  with soon as (select set_config('synchronous_commit', 'off', true))
  update dispatchers set working[$2::integer + 1] = $3 from soon where id = $1`;
// Set aside by two accusations it is free again; by a fault of its own it stays where it is.
const innocentSql = sql('dispatcher innocent')`
  update chunks set lost = lost - 1 where id = any ($1::bigint[]) and lost between 1 and 2`;
const releaseSql = sql<{ chunks: number }>('dispatcher release')`select release($1, $2) as chunks`;
// The session that holds a dead dispatcher's slots ends, so that others may bind in its place; done when it has ended.
const endSessionSql = sql('dispatcher session')`
  select pg_terminate_backend(l.pid, 5000) from pg_locks l
  where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = (7032 # lock_salt()::bigint & 4294967295)::oid and l.objid = $1::bigint::oid and l.objsubid = 2 and l.granted`;
const orphanSql = sql<{ owner: number }>('dispatcher orphans')`
  select distinct c.lease_owner as owner from chunks c where c.lease_owner is not null
    and not exists (select 1 from dispatchers d where d.id = c.lease_owner)`;

/** First key of the advisory lock by which a session says which dispatcher it belongs to. */
export const dispatcherLockSpace = 7_032;

export async function registerDispatcher(db: Queryable, node: string): Promise<number> {
  return (await row(db, registerSql, [node]))!.id;
}

/** The new number; undefined when the others have declared us dead. */
export async function beat(db: Queryable, id: number): Promise<number | undefined> {
  return (await row(db, beatSql, [id]))?.beat;
}

/** The numbers of our last sign of life and of our last batch, as stored. */
export function storedStanding(db: Queryable, id: number): Promise<{ beat: number; flush: number } | undefined> {
  return row(db, standingSql, [id]);
}

/** Notes which chunk a lane is being prepared from at this moment; null = none. */
export async function noteWork(db: Queryable, id: number, lane: 0 | 1, chunk: number | null): Promise<void> {
  await run(db, workingSql, [id, lane, chunk]);
}

/** Of chunks that were blamed for a death that was none. */
export async function takeBackBlame(db: Queryable, chunks: number[]): Promise<void> {
  await run(db, innocentSql, [arrayLiteral(chunks)]);
}

export function otherDispatchers(db: Queryable, id: number): Promise<OtherDispatcher[]> {
  return rows(db, othersSql, [id]);
}

/** `holdMs`: after which pause it is decided about what may be on the air. */
export async function releaseLeases(db: Queryable, id: number, holdMs = 0): Promise<number> {
  return (await row(db, releaseSql, [id, holdMs]))!.chunks;
}

export async function endSlotSession(db: Queryable, id: number): Promise<void> {
  await run(db, endSessionSql, [id]);
}

/** Leases whose owner is not even on the list: a crash between two statements of an older release. */
export async function ownersWithoutEntry(db: Queryable): Promise<number[]> {
  return (await rows(db, orphanSql)).map(one => one.owner);
}
