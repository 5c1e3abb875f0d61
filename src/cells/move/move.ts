// The steps of a move. Rows that no longer change are copied in rounds while the account works. Then the account waits
// for some seconds: one transaction of the old cell puts the other rows into a parcel and removes them, one transaction
// of the new cell stores them, and the directory is switched. Until the parcel is committed the account is in its old
// cell; afterwards the move can only be completed.
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../time/clock.ts';
import { announceCells, CellFault, home, reflectAccount, setCellOfAccount } from '../directory.ts';
import { reflectPeople } from '../people.ts';
import { clear } from './clear.ts';
import { History } from './history.ts';
import { endMove, findMove, type Move, setStep } from './moves.ts';
import { hasParcel, NotDrained, pack, sweep, unpack } from './parcel.ts';
import { type Client, query, type Sides, within } from './side.ts';
import { appendedTables } from './tables.ts';

export type Moving = {
  sides: Sides;
  move: Move;
  /** Reports progress to the operator. */
  report(what: string): void;
};

export const words = { waits: 'the account waits', goesOn: 'the account goes on in its new cell' };

const roundsMax = 8;
/** A round that copied fewer rows is the last one before the account waits. */
const fewRows = 2_000;
const leaveTries = 3;
/** How long the account may wait for leases and transactions, and how long it then works before it waits again. */
export type Patience = { leasesMs: number; olderMs: number; betweenMs: number };
const usualPatience: Patience = { leasesMs: 6_000, olderMs: 4_000, betweenMs: 2_000 };
const lookMs = 20;

/** copying → moved. `isResumed`: a copy was begun before. */
export async function copyAndSwitch(moving: Moving, isResumed: boolean, patience = usualPatience): Promise<void> {
  const { sides, move, report } = moving;
  const from = await sides.at(move.from);
  const to = await sides.at(move.to);
  if ((await migrationsOf(from)) !== (await migrationsOf(to)))
    throw new CellFault('the two cells do not have the same migrations: peyk migrate');
  report('clearing the way');
  await clear(to, move.accountId, move.to, isResumed ? from : undefined);
  const history = new History(move.accountId, from, to);
  for (let round = 1; round <= roundsMax; round++)
    if ((await history.round(copied => report(`copying, round ${round}: ${copied} rows`))) < fewRows) break;
  for (let nth = 1; ; nth++) {
    try {
      await leave(moving, history, patience);
      break;
    } catch (error) {
      if (!(await giveBack(moving))) break;
      if (!(error instanceof NotDrained)) throw error;
      if (nth === leaveTries) throw new CellFault(`${error.message}; the account goes on where it is`);
      report(`${error.message}; once more in a moment`);
      await pause(patience.betweenMs);
      await history.round(() => {});
    }
  }
  await arrive(moving);
}

async function migrationsOf(client: Client): Promise<string> {
  const text = "select string_agg(name, ' ' order by name) as names from schema_migrations";
  return (await query<{ names: string }>(client, text))[0]!.names;
}

const waitSql = "update accounts set status = 'moving', stamp = stamp + 1 where id = $1";
const backSql = "update accounts set status = $2, stamp = stamp + 1 where id = $1 and status = 'moving'";

/** The account waits, leases and older transactions end, and the remaining rows go into the parcel. */
async function leave({ sides, move, report }: Moving, history: History, patience: Patience): Promise<void> {
  const { accountId: account } = move;
  const from = await sides.at(move.from);
  const [found] = await query<{ status: string }>(from, 'select status from accounts where id = $1', [account]);
  if (!found) throw new CellFault(`there is no account ${account}`);
  report(words.waits);
  // First at home: if this process dies, the background task ends the wait.
  await setStep(await sides.at(home), account, 'leaving', found.status === 'moving' ? move.status : found.status);
  await from.query(waitSql, [account]);
  const bounds = new Map<string, string>();
  for (const { name } of appendedTables) {
    const [last] = await query<{ id: string }>(
      from,
      `select coalesce(max(id), 0)::text as id from ${name} where account_id = $1`,
      [account],
    );
    bounds.set(name, last!.id);
  }
  await drain(from, account, patience);
  await history.round(() => {});
  await pack(from, account, history, bounds);
}

const leases = 'select count(*)::int as count from chunks where account_id = $1 and lease_owner is not null';
const older = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start < $1`;

/** Waits for leased chunks, and for transactions that began before the status was changed. */
async function drain(from: Client, account: number, { leasesMs, olderMs }: Patience): Promise<void> {
  const [now] = await query<{ at: string }>(from, 'select clock_timestamp()::text as at');
  if (!(await none(from, leases, account, leasesMs)))
    throw new NotDrained('messages of the account are still being sent to carriers');
  if (!(await none(from, older, now!.at, olderMs))) throw new NotDrained('a transaction in the old cell does not end');
}

async function none(client: Client, text: string, value: unknown, maxMs: number): Promise<boolean> {
  for (const until = monotonicMs() + maxMs; ; await pause(lookMs)) {
    const [found] = await query<{ count: number }>(client, text, [value]);
    if (found!.count === 0) return true;
    if (monotonicMs() > until) return false;
  }
}

/** leaving → copying: the account continues in its old cell. Returns false if the account has left it. */
async function giveBack({ sides, move }: Moving): Promise<boolean> {
  const { accountId: account } = move;
  if (await hasParcel(await sides.at(move.from), account)) return false;
  const homeClient = await sides.at(home);
  const status = (await findMove(homeClient, account))!.status;
  await (await sides.at(move.from)).query(backSql, [account, status]);
  await setStep(homeClient, account, 'copying', null);
  return true;
}

/** leaving → moved, with a parcel. */
async function arrive({ sides, move, report }: Moving): Promise<void> {
  const { accountId: account } = move;
  const homeClient = await sides.at(home);
  const to = await sides.at(move.to);
  const status = (await findMove(homeClient, account))!.status;
  await unpack(await sides.at(move.from), to, account, status);
  await within(homeClient, async () => {
    await setCellOfAccount(homeClient, account, move.to);
    await reflectAccount(homeClient, to, account);
    // A process that does not know of the move yet reads the account at home: it answers 503 until the keys are removed
    // there.
    if (move.from === home) await homeClient.query(waitSql, [account]);
    await setStep(homeClient, account, 'moved', null);
    await announceCells(homeClient, String(account));
  });
  report(words.goesOn);
}

/** moved → over: the old cell is cleared. */
export async function finish({ sides, move, report }: Moving): Promise<void> {
  const { accountId: account } = move;
  const homeClient = await sides.at(home);
  const [from, to] = [await sides.at(move.from), await sides.at(move.to)];
  if (move.to !== home) await within(to, () => reflectPeople(homeClient, to, account));
  await from.query(
    'update smpp_binds set kicked = true where user_id in (select u.id from smpp_users u where u.account_id = $1)',
    [account],
  );
  await sweep(from, to, account);
  for (const table of ['credentials', 'old_logins', 'smpp_users'])
    await from.query(`delete from ${table} where account_id = $1`, [account]);
  if (move.from === home) await reflectAccount(homeClient, to, account);
  // Receipts that no cell could match while the account was in a parcel are offered once more.
  await from.query('update receipts set offered = false where offered and received_at > $1', [move.stepAt]);
  report('clearing the old cell');
  await clear(from, account, move.from);
  await endMove(homeClient, account);
}

/** Continues a move in the step `leaving` whose mover died. */
export async function goOn(moving: Moving): Promise<void> {
  if (!(await giveBack(moving))) await arrive(moving);
}

/** copying → over: the new cell is cleared. */
export async function takeBack({ sides, move }: Moving): Promise<void> {
  await clear(await sides.at(move.to), move.accountId, move.to, await sides.at(move.from));
  await endMove(await sides.at(home), move.accountId);
}
