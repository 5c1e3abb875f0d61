// Notifies dispatchers that accounts have work, by NOTIFY after the commit, never inside it: a pending notification makes commits wait for
// each other. Losing one costs at most a second, because dispatchers also poll.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';

// Without a flush, which would take turns with the commits of orders.
const notifySql = sql('announce work')`
  select set_config('synchronous_commit', 'off', true), pg_notify(channel('peyk_dispatch'), $1)`;

/** At most 128 orders, the size of a batch: a notification holds 8,000 bytes. */
export function announceWork(db: Db, orders: { lane: number; accountId: number }[]): void {
  if (orders.length === 0) return;
  const names = new Set(orders.map(one => `${one.lane}:${one.accountId}`));
  run(db, notifySql, [[...names].join(' ')]).catch(() => {});
}
