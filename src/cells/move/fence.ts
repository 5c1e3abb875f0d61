// The fence of an account in a database. First it is left alone: calls are told 503, nothing is claimed, fired, closed, posted or
// sent for it. Then what is under way comes to its end. Then the database itself refuses whatever is still written of it, by
// triggers that exist for these seconds: no path can be forgotten.
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, row, run, sql, sqlState, transaction } from '../../db/db.ts';
import { monotonicMs } from '../../time/clock.ts';
import { moveName, query } from './side.ts';
import { type MovedTable, movedTables, type Owned, ownedBy } from './tables.ts';

export type Fence = 'arriving' | 'leaving' | 'left';

const putSql = sql('fence put')`
  insert into account_fences (account_id, why) values ($1, $2)
  on conflict (account_id) do update set why = excluded.why, since = now(), removed_at = null where account_fences.why <> excluded.why`;
const liftSql = sql('fence lift')`delete from account_fences where account_id = $1`;
// What is remembered of it counts no longer.
const stampSql = sql('fence stamp')`update accounts set stamp = stamp + 1 where id = $1`;

export async function putFence(db: Db, account: number, why: Fence): Promise<void> {
  await transaction(db, async tx => {
    await run(tx, putSql, [account, why]);
    await tx.query("select set_config('peyk.mover', 'on', true)");
    await run(tx, stampSql, [account]);
  });
}

export async function liftFence(db: Db, account: number): Promise<void> {
  await transaction(db, async tx => {
    await run(tx, liftSql, [account]);
    await tx.query("select set_config('peyk.mover', 'on', true)");
    await run(tx, stampSql, [account]);
  });
}

const fenceSql = sql<{ why: Fence }>('fence')`select why from account_fences where account_id = $1`;

export async function fenceOf(db: Db, account: number): Promise<Fence | null> {
  return (await row(db, fenceSql, [account]))?.why ?? null;
}

/** What is under way did not end in time: the account goes on where it is. */
export class NotDrained extends Error {}

const drainMaxMs = 20_000;
// Posts and receipts that are not answered by then are told once more from the new cell: both may be told twice at any time.
const tellMaxMs = 2_500;
const lookMs = 20;

const leases = 'select count(*)::int as count from chunks where account_id = $1 and lease_owner is not null';
const posts =
  'select count(*)::int as count from webhook_states where account_id = any ($1) and lease_token is not null and lease_until > now()';
const owed = 'select count(*)::int as count from smpp_outbox where user_id = any ($1) and node_id is not null';
const older = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start < $1`;

/**
 * Waits for what had begun before the fence: chunks at the carriers, posts, receipts to customers, transactions.
 */
export async function drain(db: Db, { account, hooks, users }: Owned): Promise<void> {
  if (!(await none(db, leases, [account], drainMaxMs)))
    throw new NotDrained('messages of the account are still being handed to carriers');
  await Promise.all([none(db, posts, [hooks], tellMaxMs), none(db, owed, [users], tellMaxMs)]);
  await query(
    db,
    'update webhook_states set lease_token = null, lease_until = now() where account_id = any ($1) and lease_token is not null',
    [hooks],
  );
  const [{ at }] = (await query<{ at: Date }>(db, 'select clock_timestamp() as at')) as [{ at: Date }];
  if (!(await none(db, older, [at], drainMaxMs))) throw new NotDrained('a transaction in the old cell does not end');
}

async function none(db: Db, text: string, values: unknown[], maxMs: number): Promise<boolean> {
  for (const until = monotonicMs() + maxMs; ; await pause(lookMs)) {
    const [found] = await query<{ count: number }>(db, text, values);
    if (found!.count === 0) return true;
    if (monotonicMs() > until) return false;
  }
}

const guarded = movedTables.filter(one => !one.isLog);
const accountsRow: MovedTable = { name: 'accounts', column: 'id', owner: 'account' };
const lockTimeout = '55P03';
const deadlock = '40P01';
const lockTries = 12;

/** From the end of this on no row of the account can be written here, whoever tries. */
export async function guard(db: Db, owned: Owned): Promise<void> {
  const name = moveName(owned.account);
  for (const table of [accountsRow, ...guarded])
    await briefly(db, [
      `create or replace trigger ${name}_new before insert on ${table.name} for each row
        when (${ownedBy(table, owned, 'new.')}) execute function refuse_fenced_1()`,
      `create or replace trigger ${name}_old before update or delete on ${table.name} for each row
        when (${ownedBy(table, owned, 'old.')}) execute function refuse_fenced_1()`,
    ]);
}

export async function unguard(db: Db, account: number): Promise<void> {
  const name = moveName(account);
  const found = await query<{ table: string; trigger: string }>(
    db,
    'select tgrelid::regclass::text as table, tgname as trigger from pg_trigger where tgname = any ($1) order by 1, 2',
    [[`${name}_new`, `${name}_old`]],
  );
  for (const one of found) await briefly(db, [`drop trigger if exists ${one.trigger} on ${one.table}`]);
}

/** One table at a time, and never in line for long: whoever writes to it stands behind us. */
async function briefly(db: Db, statements: string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Long enough for the server to send an autovacuum away, which it does after a second.
      return await transaction(db, async tx => {
        await tx.query("set local lock_timeout = '1500ms'");
        for (const text of statements) await tx.query(text);
      });
    } catch (error) {
      const state = sqlState(error);
      if ((state !== lockTimeout && state !== deadlock) || tries === lockTries) throw error;
      await pause(100);
    }
  }
}
