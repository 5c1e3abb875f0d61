// Background work of a node: notifications, the consent registry, large downloads of the panel,
// low balances, word of decisions.
import { startConsentSync } from '../consent/sync/sync.ts';
import { followDatabaseClock } from '../db/database-clock.ts';
import { openPool } from '../db/db.ts';
import { startDraftRetention } from '../drafts/retention.ts';
import { startExports } from '../exports/export-job.ts';
import { startLowBalanceWatch } from '../notices/low-balance-watch.ts';
import { startNoticeWatch } from '../notices/notice-watch.ts';
import { AcceptQueue } from '../orders/accept-queue.ts';
import { closingTimes } from '../orders/close.ts';
import { listSource } from '../panel-api/exports/sources.ts';
import { loadSecretKey } from '../secrets.ts';
import { startWebhooks } from '../webhooks/deliver.ts';
import type { Child } from './child.ts';
import type { Running } from './roles.ts';

export async function startBackground(child: Child): Promise<Running> {
  const { config, log, task } = child;
  const onError = (error: Error) => log.warn({ error: error.message }, 'database connection lost');
  const db = openPool(task.connection, { max: 8, name: 'peyk background', onError });
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const running: { stop(): Promise<void> }[] = [await followDatabaseClock(db, log)];
  if (config.PEYK_ROLES.includes('webhooks'))
    running.push(await startWebhooks({ db, connection: task.connection, key, config, log }));
  if (config.PEYK_ROLES.includes('consent')) running.push(await startConsentSync({ db, config, log }));
  running.push(startExports(db, log, listSource), startDraftRetention(db, log));
  const closing = closingTimes(config.PEYK_VALIDITY_SECONDS, config.PEYK_RECEIPT_GRACE_SECONDS);
  const platform = { db, orders: new AcceptQueue(db, closing.afterMs), log };
  running.push(startLowBalanceWatch(platform), startNoticeWatch(platform));
  return {
    async stop() {
      await Promise.all(running.map(one => one.stop()));
      await db.end();
    },
  };
}
