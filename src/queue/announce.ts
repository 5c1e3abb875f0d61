// Notifies dispatchers that an account has work, by NOTIFY after the commit. The first notification leaves at once, those of the
// next 5 ms together. Losing one costs at most a second, because dispatchers also poll.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';
const gatherMs = 5;
// A notification holds 8,000 bytes; "1:" and an id of 16 digits and a blank make 19.
const namesMax = 400;

// Without a flush: 200 flushes a second would take turns with the commits of orders.
const notifySql = sql('announce work')`
  select set_config('synchronous_commit', 'off', true), pg_notify(channel('peyk_dispatch'), $1)`;

type Gathered = { names: Set<string>; timer: NodeJS.Timeout | null };

const all = new WeakMap<Db, Gathered>();

export function announceWork(db: Db, lane: number, accountId: number): void {
  const state = all.get(db) ?? { names: new Set(), timer: null };
  all.set(db, state);
  state.names.add(`${lane}:${accountId}`);
  if (!state.timer) send(db, state);
}

/** Names that come within the pause that begins now wait for its end. */
function send(db: Db, state: Gathered): void {
  state.timer = null;
  if (state.names.size === 0 || db.ended) return;
  const names = [...state.names].slice(0, namesMax);
  for (const name of names) state.names.delete(name);
  state.timer = setTimeout(() => send(db, state), gatherMs);
  run(db, notifySql, [names.join(' ')]).catch(() => {});
}
