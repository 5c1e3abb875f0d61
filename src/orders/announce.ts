// Tells dispatchers that an account has work: by NOTIFY after the commit, gathered. The first word leaves at once; those
// of the next 10 ms together, with the next batch of orders that goes to the database or, if none does, by themselves.
// Losing one costs at most a second, because dispatchers also look by themselves.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';
const gatherMs = 10;
// A batch of orders takes them along even earlier: that costs a tenth of a statement of their own.
const alongMs = 5;
// A notification holds 8,000 bytes; "1:" and an id of 16 digits and a blank make 19.
const namesMax = 400;

// Nothing of it needs the disk: with a flush for each, 200 a second took turns with the commits of orders.
const notifySql = sql('announce work')`
  select set_config('synchronous_commit', 'off', true), pg_notify(channel_1('peyk_dispatch'), $1)`;

type Work = { lane: number; accountId: number };
type Gathered = { names: Set<string>; timer: NodeJS.Timeout | null; sentAt: number };

/** What a batch of orders says when it has been committed. sent: its own accounts are among it. */
export type Words = { payload: string; sent: boolean };

const all = new WeakMap<Db, Gathered>();

export function announceWork(db: Db, lane: number, accountId: number): void {
  const state = stateOf(db);
  state.names.add(`${lane}:${accountId}`);
  if (!state.timer) send(db, state);
}

/** For a batch that is about to be stored; the statement says it after its commit. */
export function wordsToSend(db: Db, orders: readonly Work[]): Words {
  const state = stateOf(db);
  if (performance.now() - state.sentAt < alongMs) return { payload: '', sent: false };
  for (const { lane, accountId } of orders) state.names.add(`${lane}:${accountId}`);
  if (state.timer) clearTimeout(state.timer);
  return { payload: taken(db, state), sent: state.names.size === 0 };
}

/** The batch was not stored, or nobody knows: its words may not have been said. */
export function sayAgain(db: Db, { payload }: Words): void {
  if (payload === '') return;
  const state = stateOf(db);
  for (const name of payload.split(' ')) state.names.add(name);
  if (!state.timer) send(db, state);
}

function stateOf(db: Db): Gathered {
  const known = all.get(db);
  if (known) return known;
  const fresh: Gathered = { names: new Set(), timer: null, sentAt: Number.NEGATIVE_INFINITY };
  all.set(db, fresh);
  return fresh;
}

function send(db: Db, state: Gathered): void {
  state.timer = null;
  if (state.names.size === 0 || db.ended) return;
  run(db, notifySql, [taken(db, state)]).catch(() => {});
}

/** The next words; whatever comes within the pause that begins now waits for its end. */
function taken(db: Db, state: Gathered): string {
  const names = [...state.names].slice(0, namesMax);
  for (const name of names) state.names.delete(name);
  state.sentAt = performance.now();
  state.timer = setTimeout(() => send(db, state), gatherMs);
  return names.join(' ');
}
