// The rows on their way: a publication and a slot in the old cell, a subscription in the new one, by PostgreSQL's own means. Each
// function may be called again after it was cut off anywhere.
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, sqlState } from '../../db/db.ts';
import { monotonicMs } from '../../time/clock.ts';
import { libpqAddress, literal, moveName, query, type Side } from './side.ts';
import { movedTables, type Owned, ownedBy } from './tables.ts';

// Slots and subscriptions of all databases of a server stand in one list.
const ours = 'subdbid = (select oid from pg_database where datname = current_database())';

async function slotOf(source: Side, account: number): Promise<string> {
  const text = 'select oid::text from pg_database where datname = current_database()';
  const [found] = await query<{ oid: string }>(source.db, text);
  return `${moveName(account)}_${found!.oid}`;
}

const slotBusy = '55006';
const slotWaitMs = 20_000;

/** From here on changes of the account are kept for the new cell, and what there is is being copied. */
export async function startStream(source: Side, target: Side, owned: Owned): Promise<void> {
  const name = moveName(owned.account);
  const slot = await slotOf(source, owned.account);
  const tables = movedTables.map(one => `${one.name} where (${ownedBy(one, owned)})`);
  await source.db.query(`create publication ${name} for table ${tables.join(', ')}`);
  // Not by the subscription: in databases of one server that would wait for itself.
  await query(source.db, "select pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  await target.db.query(`create subscription ${name} connection ${literal(libpqAddress(source.connection))} publication ${name}
    with (create_slot = false, slot_name = ${literal(slot)}, copy_data = true, enabled = true)`);
}

/** Nothing more arrives; what arrived stays. */
export async function endSubscription(source: Side, target: Side, account: number): Promise<void> {
  const name = moveName(account);
  const text = `select oid::text from pg_subscription where subname = $1 and ${ours}`;
  const [found] = await query<{ oid: string }>(target.db, text, [name]);
  if (!found) return;
  await target.db.query(`alter subscription ${name} disable`);
  await target.db.query(`alter subscription ${name} set (slot_name = none)`);
  // After the switch there are none, and the old cell may be away.
  if ((await copyProgress(target, account)).waiting > 0) await endCopies(source, target, found.oid);
  await target.db.query(`drop subscription ${name}`);
}

/**
 * Each table that is being copied has a worker in the new cell and a sender in the old one, which begins by waiting for every
 * transaction of its server. The drop waits for the sender: where both databases are of one server, neither would go on.
 */
async function endCopies(source: Side, target: Side, subscription: string): Promise<void> {
  for (const until = monotonicMs() + slotWaitMs; ; await pause(50)) {
    const workers = await query(
      target.db,
      'select pg_terminate_backend(pid) from pg_stat_subscription where subid = $1 and relid is not null and pid is not null',
      [subscription],
    );
    const senders = await query(
      source.db,
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'walsender' and starts_with(application_name, $1)",
      [`pg_${subscription}_sync_`],
    );
    if (workers.length + senders.length === 0) return;
    if (monotonicMs() > until) throw new Error('tables are still being copied, and it cannot be ended');
  }
}

/** The old cell keeps nothing more for the new one. */
export async function endPublication(source: Side, account: number): Promise<void> {
  const name = moveName(account);
  const slot = await slotOf(source, account);
  await source.db.query(`drop publication if exists ${name}`);
  for (const until = monotonicMs() + slotWaitMs; ; await pause(50)) {
    try {
      await query(
        source.db,
        'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1',
        [slot],
      );
      return;
    } catch (error) {
      // The sender of a subscription that has just ended is still there.
      if (sqlState(error) !== slotBusy || monotonicMs() > until) throw error;
    }
  }
}

type Progress = { tables: number; waiting: number };

/** How many tables there are, and how many are still being copied. */
export async function copyProgress(target: Side, account: number): Promise<Progress> {
  const [found] = await query<Progress>(
    target.db,
    `select count(*)::int as tables, count(*) filter (where r.srsubstate <> 'r')::int as waiting
     from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid where s.subname = $1 and ${ours}`,
    [moveName(account)],
  );
  return found!;
}

/** Bytes of the old cell's log that the new one has not confirmed; null: there is no such stream, or it cannot go on. */
export async function behindBytes(source: Side, account: number): Promise<number | null> {
  const [found] = await query<{ behind: number | null }>(
    source.db,
    `select (pg_current_wal_lsn() - confirmed_flush_lsn)::float8 as behind from pg_replication_slots
     where slot_name = $1 and wal_status <> 'lost'`,
    [await slotOf(source, account)],
  );
  return found?.behind ?? null;
}

/** Where the old cell's log is now; behind a record of our own, so that the position is one that is sent. */
export async function positionOf(db: Db): Promise<string> {
  await query(db, "select pg_logical_emit_message(true, 'peyk', '')");
  const [found] = await query<{ at: string }>(db, 'select pg_current_wal_lsn()::text as at');
  return found!.at;
}

/** Whether everything up to there is stored in the new cell. */
export async function hasReached(source: Side, account: number, position: string): Promise<boolean> {
  const [found] = await query<{ reached: boolean }>(
    source.db,
    'select confirmed_flush_lsn >= $2::pg_lsn as reached from pg_replication_slots where slot_name = $1',
    [await slotOf(source, account), position],
  );
  if (!found) throw new Error('the replication slot of this move is gone');
  return found.reached;
}

/** How often rows could not be stored in the new cell. */
export async function streamErrors(target: Side, account: number): Promise<number> {
  const [found] = await query<{ errors: number }>(
    target.db,
    `select e.apply_error_count + e.sync_error_count as errors
     from pg_subscription s join pg_stat_subscription_stats e on e.subid = s.oid where s.subname = $1 and ${ours}`,
    [moveName(account)],
  );
  return found?.errors ?? 0;
}
