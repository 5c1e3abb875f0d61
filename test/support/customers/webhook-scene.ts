// Shared by the tests of webhooks: a database, receivers, workers and accounts. Each test leaves no events and nothing running.
import { afterAll, afterEach } from 'vitest';
import { type HookReceiver, startHookReceiver } from '../../../simulators/hook-receiver/main.ts';
import { silentLog } from '../../../src/log.ts';
import { startWebhooks } from '../../../src/webhooks/deliver.ts';
import { setWebhookUrl } from '../../../src/webhooks/endpoints.ts';
import { testDatabase } from '../database/database.ts';
import { storeOrder } from '../database/stored-order.ts';

type Options = Parameters<typeof startWebhooks>[0];

const key = Buffer.alloc(32, 7);
const config = { PEYK_ALLOW_PRIVATE_WEBHOOKS: true, PEYK_LEASE_SECONDS: 2 };

export async function webhookScene() {
  const database = await testDatabase();
  const { pool, connection } = database;
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterAll(() => database.close());
  afterEach(async () => {
    for (const one of cleanUp.splice(0).reverse()) await one();
    await pool.query('truncate webhook_outbox, webhook_deliveries, webhook_states');
  });

  return {
    ...{ pool, connection, key, config },
    /** After the running test, the newest first. */
    cleanUp,

    async receiver(): Promise<HookReceiver> {
      const hook = await startHookReceiver();
      cleanUp.push(() => hook.stop());
      return hook;
    },

    async worker(change: Partial<Options> = {}): Promise<{ stop(): Promise<void> }> {
      const started = await startWebhooks({ db: pool, connection, key, config, log: silentLog, ...change });
      cleanUp.push(() => started.stop());
      return started;
    },

    async account(url?: string): Promise<number> {
      const id = (await pool.query("insert into accounts (name) values ('deneme') returning id")).rows[0].id as number;
      await pool.query('insert into balances (account_id, sms) values ($1, 1000000)', [id]);
      if (url !== undefined) await setWebhookUrl(pool, id, url, true);
      return id;
    },

    async order(accountId: number, count: number, bad: string[] = []): Promise<{ id: number; messages: number[] }> {
      const id = await storeOrder(pool, accountId, count, bad);
      const messages = await pool.query('select id from messages where order_id = $1 order by id', [id]);
      return { id, messages: messages.rows.map(row => row.id as number) };
    },

    async settle(messages: number[], status: 111 | 112): Promise<void> {
      await pool.query('select settle($1, $2, $3)', [messages, messages.map(() => status), messages.map(() => 0)]);
    },
  };
}
