// An account changes its cell: rows are copied and followed while everything goes on; then, for a few seconds, the account is
// fenced in its old cell, the last of it arrives, both sides are compared, and the directory is switched. Every step can be
// done again, so a mover that was killed is followed by the next (account_moves says how far it came).
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../time/clock.ts';
import { announceCells, home, reflectAccount, setCellOfAccount } from '../directory.ts';
import { reflectPeople } from '../people.ts';
import { carryRows, carrySubmits } from './carry.ts';
import { hindrance } from './checks.ts';
import { differences } from './compare.ts';
import { drain, fenceOf, guard, liftFence, NotDrained, putFence, unguard } from './fence.ts';
import { copyingMove, endMove, type Move, setStep } from './moves.ts';
import { passNumbers } from './numbers.ts';
import { ownedIn, removeAccount } from './remove.ts';
import type { Session } from './session.ts';
import { query, type Side } from './side.ts';
import {
  behindBytes,
  copyProgress,
  endPublication,
  endSubscription,
  hasReached,
  positionOf,
  startStream,
  streamErrors,
} from './stream.ts';
import { carrySums } from './sums.ts';
import { movedTables, type Owned } from './tables.ts';

export type Moving = {
  /** Holds the lock of this move, in the home: whoever has lost it can switch nothing. */
  session: Session;
  move: Move;
  source: Side;
  target: Side;
  /** What is being done, for whoever waits. */
  tell(what: string): void;
};

export class MoveFailed extends Error {}

export const words = { fenced: 'fenced: the account waits', goesOn: 'the account goes on in its new cell' };

const lookMs = 50;
// The rest is sent while the account waits.
const nearBytes = 1_000_000;
const stallMs = 60_000;
const errorsMax = 5;
const cutOverTries = 3;
const reachMaxMs = 20_000;
const comparedMs = 3 * 86_400_000;

const ownedOf = ({ accountId, hooks, users }: Move): Owned => ({ account: accountId, hooks, users });

/** begun → copying. */
export async function prepare({ session, move, source, target, tell }: Moving): Promise<void> {
  const account = move.accountId;
  const why = await hindrance(source, target);
  if (why) throw new MoveFailed(why);
  tell('clearing the way');
  await endSubscription(source, target, account);
  await endPublication(source, account);
  // Of a copy that was cut off messages may be there without their orders.
  const isCutOff = (await fenceOf(target.db, account)) === 'arriving';
  await putFence(target.db, account, 'arriving');
  await removeAccount(target.db, account, 'arriving', isCutOff);
  const owned = await ownedIn(source.db, account);
  await startStream(source, target, owned);
  await copyingMove(session.client, account, owned.hooks, owned.users);
}

/** copying → switched, or back to begun where the stream is not what it should be. Returns for how long the account waited. */
export async function copyAndSwitch(moving: Moving): Promise<void> {
  const { session, move, source } = moving;
  if (!(await isFollowed(moving))) return setStep(session.client, move.accountId, 'begun');
  for (let tries = 1; ; tries++) {
    try {
      return await cutOver(moving);
    } catch (error) {
      // Where the lock is gone, whoever has it now sees to the fence.
      if (!session.lost) await backToCopying(moving);
      if (!(error instanceof NotDrained) || tries === cutOverTries) throw error;
      moving.tell(`${error.message}; once more in a moment`);
      await pause(2_000);
      if ((await behindBytes(source, move.accountId)) === null) throw error;
    }
  }
}

/** Waits until all tables are copied and the new cell is close behind; false: there is nothing to wait for. */
async function isFollowed({ move, source, target, tell }: Moving): Promise<boolean> {
  const { accountId: account } = move;
  if (!isSame(await ownedIn(source.db, account), ownedOf(move))) return false;
  let told = '';
  let movedAt = monotonicMs();
  for (let last = ''; ; await pause(lookMs)) {
    const { tables, waiting } = await copyProgress(target, account);
    const behind = await behindBytes(source, account);
    if (tables !== movedTables.length || behind === null) return false;
    if (waiting === 0 && behind <= nearBytes) return true;
    if ((await streamErrors(target, account)) >= errorsMax)
      throw new MoveFailed('rows cannot be stored in the new cell; the log of its server says why');
    const seen = `${waiting} ${Math.round(behind)}`;
    if (seen !== last) movedAt = monotonicMs();
    last = seen;
    if (monotonicMs() - movedAt > stallMs)
      throw new MoveFailed('the copy does not go on; the log of the new cell’s server says why');
    const words =
      waiting > 0
        ? `copying: ${tables - waiting} of ${tables} tables`
        : `following: ${Math.round(behind / 1e6)} MB behind`;
    if (words !== told) tell(words);
    told = words;
  }
}

function isSame(a: Owned, b: Owned): boolean {
  return JSON.stringify([a.hooks, a.users]) === JSON.stringify([b.hooks, b.users]);
}

/** The seconds in which the account waits. */
async function cutOver(moving: Moving): Promise<void> {
  const { session, move, source, target, tell } = moving;
  const { accountId: account } = move;
  const owned = ownedOf(move);
  tell(words.fenced);
  // Told first: should we end here, others lift what they find.
  await setStep(session.client, account, 'fenced');
  await putFence(source.db, account, 'leaving');
  await drain(source.db, owned);
  await guard(source.db, owned);
  if (!isSame(await ownedIn(source.db, account), owned))
    throw new NotDrained('a webhook address or an SMPP user was added meanwhile');
  await reach(source, account);
  await carryRows(source.db, target.db, account);
  await carrySubmits(source.db, target.db, account);
  await carrySums(source.db, target.db, account);
  await passNumbers(target.db, owned);
  const found = await differences(source.db, target.db, owned, new Date(move.begunAt.getTime() - comparedMs));
  if (found.length > 0) throw new MoveFailed(`the two cells differ: ${found.map(describe).join(', ')}`);
  await switchDirectory(moving);
}

function describe({
  table,
  source,
  target,
}: {
  table: string;
  source: { rows: number };
  target: { rows: number };
}): string {
  return `${table} (${source.rows} rows, ${target.rows} in the new cell)`;
}

/** Everything that the old cell has written is in the new one. */
async function reach(source: Side, account: number): Promise<void> {
  const position = await positionOf(source.db);
  for (const until = monotonicMs() + reachMaxMs; !(await hasReached(source, account, position)); await pause(10))
    if (monotonicMs() > until) throw new NotDrained('the new cell does not catch up');
}

/** In one transaction of the session that has the lock: from its commit on the account lives in the new cell. */
async function switchDirectory({ session, move, target }: Moving): Promise<void> {
  const { accountId: account, to } = move;
  await session.transaction(async client => {
    await client.query("select set_config('peyk.mover', 'on', true)");
    await setCellOfAccount(client, account, to);
    await reflectAccount(client, target.db, account);
    await setStep(client, account, 'switched');
    await announceCells(client, String(account));
  });
}

/** fenced → copying: the account goes on where it is. */
export async function backToCopying({ session, move, source }: Moving): Promise<void> {
  await liftFence(source.db, move.accountId);
  await unguard(source.db, move.accountId);
  await setStep(session.client, move.accountId, 'copying');
}

/** switched → over. The new cell first: the account waits for it, and the old one may be away. */
export async function finish({ session, move, source, target, tell }: Moving): Promise<void> {
  const { accountId: account } = move;
  await endSubscription(source, target, account);
  await query(target.db, 'update smpp_outbox set node_id = null where user_id = any ($1) and node_id is not null', [
    move.users,
  ]);
  if (move.to !== home) await reflectPeople(session.client, target.db, account);
  await liftFence(target.db, account);
  await query(target.db, "select pg_notify(channel('peyk_dispatch'), $1)", [`0:${account} 1:${account}`]);
  tell(words.goesOn);
  await putFence(source.db, account, 'left');
  await unguard(source.db, account);
  // Nobody knew these while the account was on its way: the new cell is asked about them now.
  await query(source.db, 'update receipts set offered = false where offered and received_at > $1', [move.begunAt]);
  await query(source.db, 'update smpp_binds set kicked = true where user_id = any ($1)', [move.users]);
  await endPublication(source, account);
  await endMove(session.client, account);
}

/** Before the switch everything can be taken back. */
export async function cancel(moving: Moving): Promise<void> {
  const { session, move, source, target } = moving;
  await backToCopying(moving);
  await endSubscription(source, target, move.accountId);
  await endPublication(source, move.accountId);
  if (await removeAccount(target.db, move.accountId, 'arriving', true)) await liftFence(target.db, move.accountId);
  await endMove(session.client, move.accountId);
}
