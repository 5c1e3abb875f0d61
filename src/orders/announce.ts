// Tells dispatchers that an account has work, after the commit and gathered: the first word leaves at once, those of the
// next 10 ms together. Losing one costs at most a second, because dispatchers also look by themselves.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';
const gatherMs = 10;
// A notification holds 8,000 bytes; "1:" and an id of 16 digits and a blank make 19.
const namesMax = 400;

const notifySql = sql('announce work')`select pg_notify('peyk_dispatch', $1)`;

type Gathered = { names: Set<string>; timer: NodeJS.Timeout | null };
const waiting = new WeakMap<Db, Gathered>();

export function announceWork(db: Db, lane: number, accountId: number): void {
  const state = waiting.get(db) ?? ({ names: new Set(), timer: null } as Gathered);
  waiting.set(db, state);
  state.names.add(`${lane}:${accountId}`);
  if (state.timer) return;
  const send = () => {
    const names = [...state.names].slice(0, namesMax);
    state.names.clear();
    state.timer = null;
    if (names.length === 0 || db.ended) return;
    run(db, notifySql, [names.join(' ')]).catch(() => {});
    state.timer = setTimeout(send, gatherMs);
  };
  send();
}
