// Tells dispatchers that an account has work, after the commit and gathered: the first word leaves at once, those of the
// next 10 ms together. The dispatcher of this node hears it over the process channel (two hops, no database), those of
// others by NOTIFY, marked with our node so that the first does not hear it twice. Losing one costs at most a second,
// because dispatchers also look by themselves.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';
const gatherMs = 10;
// A notification holds 8,000 bytes; "1:" and an id of 16 digits and a blank make 19.
const namesMax = 400;

// Nothing of it needs the disk: with a flush for each, 200 a second took turns with the commits of orders.
const notifySql = sql('announce work')`
  select set_config('synchronous_commit', 'off', true), pg_notify('peyk_dispatch', $1)`;

type Gathered = { names: Set<string>; timer: NodeJS.Timeout | null };
const waiting = new WeakMap<Db, Gathered>();
let tellNode: (payload: string) => void = () => {};
let mark = '';

/** How this process reaches the dispatcher of its own node, and the name of that node. */
export function announceLocally(node: string, tell: (payload: string) => void): void {
  tellNode = tell;
  mark = `@${node} `;
}

/** Whether this node's dispatcher was told the same over the process channel. */
export function toldLocally(node: string, payload: string): boolean {
  return payload.startsWith(`@${node} `);
}

export function announceWork(db: Db, lane: number, accountId: number): void {
  const state = waiting.get(db) ?? ({ names: new Set(), timer: null } as Gathered);
  waiting.set(db, state);
  state.names.add(`${lane}:${accountId}`);
  if (state.timer) return;
  const send = () => {
    const payload = [...state.names].slice(0, namesMax).join(' ');
    state.names.clear();
    state.timer = null;
    if (payload === '' || db.ended) return;
    tellNode(payload);
    run(db, notifySql, [mark + payload]).catch(() => {});
    state.timer = setTimeout(send, gatherMs);
  };
  send();
}
