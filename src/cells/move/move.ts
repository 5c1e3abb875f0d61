// An account changes its cell by being copied: what has ended, in rounds, while it works; then it waits for some seconds, one transaction of the old
// cell takes the rest into a parcel, one of the new cell unpacks it, and the directory is switched. Until the first of these commits the account
// is in its old cell, from then on it goes to the new one: whoever goes on with a move sees by the parcel which it is.
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openPool } from '../../db/db.ts';
import { monotonicMs } from '../../time/clock.ts';
import { announceCells, home, reflectAccount, setCellOfAccount } from '../directory.ts';
import { reflectPeople } from '../people.ts';
import { clear } from './clear.ts';
import { History } from './history.ts';
import { endMove, leaveStep, type Move, setStep } from './moves.ts';
import { hasParcel, NotDrained, pack, sweep, unpack } from './parcel.ts';
import { type Client, MoveFailed, query, type Sides, within } from './side.ts';
import { grownTables } from './tables.ts';

export type Moving = {
  sides: Sides;
  move: Move;
  /** A copy of it was begun before. */
  isResumed?: boolean;
  /** What is being done, for whoever waits. */
  tell(what: string): void;
};

export const words = { waits: 'the account waits', goesOn: 'the account goes on in its new cell' };

const roundsMax = 8;
/** So few rows are left to the last round. */
const fewRows = 2_000;
const leaveTries = 3;
const leasesMaxMs = 6_000;
const olderMaxMs = 4_000;
const lookMs = 20;

/** copying → moved: from its first statement to the switch. */
export async function copyAndSwitch(moving: Moving): Promise<void> {
  const { sides, move, tell } = moving;
  const from = await sides.at(move.from);
  const to = await sides.at(move.to);
  if ((await migrationsOf(from)) !== (await migrationsOf(to)))
    throw new MoveFailed('the two cells do not have the same migrations: peyk migrate');
  tell('clearing the way');
  await clear(to, move.accountId, move.to, moving.isResumed ? from : undefined);
  const history = new History(move.accountId, from, to);
  for (let round = 1; round <= roundsMax; round++)
    if ((await history.round(copied => tell(`copying, round ${round}: ${copied} rows`))) < fewRows) break;
  for (let nth = 1; ; nth++) {
    try {
      await leave(moving, history);
      break;
    } catch (error) {
      if (!(await giveBack(moving))) break;
      if (!(error instanceof NotDrained)) throw error;
      if (nth === leaveTries) throw new MoveFailed(`${error.message}; the account goes on where it is`);
      tell(`${error.message}; once more in a moment`);
      await pause(2_000);
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

/** The account waits, everything under way comes to its end, and the rest of it is taken. */
async function leave({ sides, move, tell }: Moving, history: History): Promise<void> {
  const { accountId: account } = move;
  const from = await sides.at(move.from);
  const [found] = await query<{ status: string }>(from, 'select status from accounts where id = $1', [account]);
  if (!found) throw new MoveFailed(`there is no account ${account}`);
  tell(words.waits);
  // Told first: should we end here, others give the account back.
  await leaveStep(await sides.at(home), account, found.status === 'moving' ? move.status : found.status);
  await from.query(waitSql, [account]);
  const bounds = new Map<string, string>();
  for (const { name } of grownTables) {
    const [last] = await query<{ id: string }>(
      from,
      `select coalesce(max(id), 0)::text as id from ${name} where account_id = $1`,
      [account],
    );
    bounds.set(name, last!.id);
  }
  await drain(from, account);
  await history.round(() => {});
  await pack(from, account, history, bounds);
}

const leases = 'select count(*)::int as count from chunks where account_id = $1 and lease_owner is not null';
const older = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start < $1`;

/** Waits for what began before the account was told to wait: chunks at the carriers, transactions. */
async function drain(from: Client, account: number): Promise<void> {
  const [now] = await query<{ at: string }>(from, 'select clock_timestamp()::text as at');
  if (!(await none(from, leases, account, leasesMaxMs)))
    throw new NotDrained('messages of the account are still being handed to carriers');
  if (!(await none(from, older, now!.at, olderMaxMs)))
    throw new NotDrained('a transaction in the old cell does not end');
}

async function none(client: Client, text: string, value: unknown, maxMs: number): Promise<boolean> {
  for (const until = monotonicMs() + maxMs; ; await pause(lookMs)) {
    const [found] = await query<{ count: number }>(client, text, [value]);
    if (found!.count === 0) return true;
    if (monotonicMs() > until) return false;
  }
}

/** leaving → copying: the account goes on where it is. false: it has left. */
async function giveBack({ sides, move }: Moving): Promise<boolean> {
  const { accountId: account } = move;
  if (await hasParcel(await sides.at(move.from), account)) return false;
  const homeClient = await sides.at(home);
  const [now] = await query<{ status: string }>(homeClient, 'select status from account_moves where account_id = $1', [
    account,
  ]);
  await (await sides.at(move.from)).query(backSql, [account, now?.status ?? move.status]);
  await setStep(homeClient, account, 'copying');
  return true;
}

/** leaving → moved: with a parcel of the account there is no way back. */
export async function arrive({ sides, move, tell }: Moving): Promise<void> {
  const { accountId: account } = move;
  const homeClient = await sides.at(home);
  const to = await sides.at(move.to);
  const [now] = await query<{ status: string }>(homeClient, 'select status from account_moves where account_id = $1', [
    account,
  ]);
  await unpack(await sides.at(move.from), to, account, now!.status);
  await within(homeClient, async () => {
    await setCellOfAccount(homeClient, account, move.to);
    await reflectAccount(homeClient, to, account);
    // Processes that have not heard of the move yet read an emptied account in the home: they answer 503 until its keys are gone there.
    if (move.from === home) await homeClient.query(waitSql, [account]);
    await setStep(homeClient, account, 'moved');
    await announceCells(homeClient, String(account));
  });
  tell(words.goesOn);
}

/** moved → over: the old cell forgets the account. */
export async function finish({ sides, move, tell }: Moving): Promise<void> {
  const { accountId: account } = move;
  const homeClient = await sides.at(home);
  if (move.to !== home) await withPool(sides.connection(move.to), db => reflectPeople(homeClient, db, account));
  const from = await sides.at(move.from);
  await from.query(
    'update smpp_binds set kicked = true where user_id in (select u.id from smpp_users u where u.account_id = $1)',
    [account],
  );
  await sweep(from, await sides.at(move.to), account);
  for (const table of ['credentials', 'old_logins', 'smpp_users'])
    await from.query(`delete from ${table} where account_id = $1`, [account]);
  if (move.from === home) await reflectAccount(homeClient, await sides.at(move.to), account);
  // Nobody knew these while the account was on its way: the new cell is asked about them now.
  await from.query('update receipts set offered = false where offered and received_at > $1', [move.stepAt]);
  tell('clearing the old cell');
  await clear(from, account, move.from);
  await endMove(homeClient, account);
}

async function withPool(
  connection: Connection,
  work: (db: ReturnType<typeof openPool>) => Promise<void>,
): Promise<void> {
  const db = openPool(connection, { max: 1, name: 'peyk move', onError: () => {} });
  await work(db).finally(() => db.end());
}

/** leaving, and whoever moved it is gone: on from wherever the account is. */
export async function goOn(moving: Moving): Promise<void> {
  if (!(await giveBack(moving))) await arrive(moving);
}

/** copying → over: nothing of it stays in the new cell. */
export async function takeBack({ sides, move }: Moving): Promise<void> {
  await clear(await sides.at(move.to), move.accountId, move.to, await sides.at(move.from));
  await endMove(await sides.at(home), move.accountId);
}
