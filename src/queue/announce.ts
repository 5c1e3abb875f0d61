// Notifies dispatchers that an account has work, by NOTIFY after the commit. Losing a notification costs at most a second, because dispatchers
// also poll. Orders of up to 100 recipients are notified by `accept_durably`.
import { type Db, run, sql } from '../db/db.ts';

export const workChannel = 'peyk_dispatch';

// Without a flush, which would take turns with the commits of orders.
const notifySql = sql('announce work')`
  select set_config('synchronous_commit', 'off', true), pg_notify(channel('peyk_dispatch'), $1)`;

export function announceWork(db: Db, lane: number, accountId: number): void {
  run(db, notifySql, [`${lane}:${accountId}`]).catch(() => {});
}
