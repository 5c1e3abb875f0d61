import { afterAll, afterEach, expect, test } from 'vitest';
import type { HookReceiver } from '../../simulators/hook-receiver/main.ts';
import { webhookScene } from '../../test/support/customers/webhook-scene.ts';
import { firstSecret, firstState } from '../../test/support/customers/webhooks.ts';
import { silentLog } from '../log.ts';
import { nowMs, setClock } from '../time/clock.ts';
import { recentDeliveries, resend, sendTest } from './deliveries.ts';
import { setWebhookInbound, setWebhookUrl } from './endpoints.ts';
import { giveUpExpired, prune } from './retention.ts';

const dayMs = 86_400_000;
let shiftMs = 0;
afterAll(setClock(() => Date.now() + shiftMs));
afterEach(() => {
  shiftMs = 0;
});
const { pool, key, receiver, worker, account, order } = await webhookScene();

const failed = (failedSince = new Date(0)) => ({ failedSince, no: null });
const eventually = { timeout: 90_000, interval: 20 };
const isProbing = (id: number) => async () => (await firstState(pool, id))!.nextProbeAt !== null;

/** An account whose endpoint answers 500 until only probes are sent; no worker serves it afterwards. */
async function brokenAccount(hook: HookReceiver, count: number): Promise<number> {
  hook.setMode({ mode: 'failing', status: 500 });
  const id = await account(hook.url);
  await order(id, count);
  const first = await worker();
  await expect.poll(isProbing(id), eventually).toBe(true);
  await first.stop();
  hook.reset();
  return id;
}

test('an account that never had a webhook has no state', async () => {
  expect(await firstState(pool, 1)).toBeNull();
});

test('a URL that cannot be used is refused and changes nothing', async () => {
  const id = await account('https://hook.example/a');
  await expect(setWebhookUrl(pool, id, 'http://hook.example/b', false)).rejects.toThrow('https');
  await setWebhookInbound(pool, id, true);
  expect(await firstState(pool, id)).toMatchObject({
    url: 'https://hook.example/a',
    inbound: true,
    state: 'healthy',
  });
});

test('the secret is made once by the first of several callers, and is not stored in the clear', async () => {
  const id = await account('https://hook.example/a');
  const asked = await Promise.all([1, 2, 3, 4].map(() => firstSecret(pool, key, id)));
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).toMatch(/^[0-9a-f]{64}$/);
  const { rows } = await pool.query('select secret from webhook_endpoints where account_id = $1', [id]);
  expect(rows[0].secret.toString('utf8')).not.toContain(asked[0]);
});

test('a test event arrives, is tried once only, and its result can be looked up', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  await worker();
  const good = await sendTest(pool, id, 1);
  const state = (delivery: string) => async () =>
    (await recentDeliveries(pool, id, {}, 1)).find(one => one.id === delivery)?.state;
  await expect.poll(state(good), eventually).toBe('delivered');
  hook.setMode({ mode: 'redirect', to: 'https://hook.example/' });
  const bad = await sendTest(pool, id, 1);
  await expect.poll(state(bad), eventually).toBe('given-up');
  const [latest, first] = await recentDeliveries(pool, id, {}, 1);
  expect(latest).toMatchObject({ kind: 'test', attempts: 1, error: 'redirect', answerStatus: 302 });
  expect(first).toMatchObject({ id: good, body: hook.calls[0]!.body, answerBody: 'ok\n', answerStatus: 200 });
  expect(first!.signature).toBe(hook.calls[0]!.headers['x-peyk-signature']);
  expect(String(first!.timestamp)).toBe(hook.calls[0]!.headers['x-peyk-timestamp']);
  expect(JSON.parse(hook.calls[0]!.body)).toEqual({
    test: { id: Number(good.split('-')[0]), sentAt: expect.any(String) },
  });
});

test('a test event that succeeds brings a paused endpoint back, with its whole backlog', async () => {
  const hook = await receiver();
  const id = await brokenAccount(hook, 200);
  hook.setMode({ mode: 'ok' });
  await worker();
  await sendTest(pool, id, 1);
  await expect.poll(() => new Set(hook.calls.map(call => call.headers['x-peyk-delivery'])).size, eventually).toBe(201);
  expect(JSON.parse(hook.calls[0]!.body)).toHaveProperty('test');
});

test('a new URL is tried at once and gets the backlog of the old one', async () => {
  const [old, fresh] = [await receiver(), await receiver()];
  const id = await brokenAccount(old, 100);
  await worker();
  await setWebhookUrl(pool, id, fresh.url, true);
  await expect.poll(() => new Set(fresh.calls.map(call => call.body)).size, eventually).toBe(100);
});

test('all that was given up can be sent again, also what was never unfolded', async () => {
  const hook = await receiver();
  const id = await brokenAccount(hook, 300);
  shiftMs = dayMs + 60_000;
  await giveUpExpired(pool, silentLog);
  expect(await firstState(pool, id)).toMatchObject({ givenUp: 300, waiting: 0, pending: 0 });
  hook.setMode({ mode: 'ok' });
  expect(await resend(pool, id, failed(new Date(nowMs())))).toBe(0);
  expect(await resend(pool, id, failed())).toBe(300);
  await worker();
  await expect.poll(() => new Set(hook.calls.map(call => call.body)).size, eventually).toBe(300);
  expect(await firstState(pool, id)).toMatchObject({ givenUp: 0 });
});

test('one delivery can be sent again, under its own delivery id and only by its own account', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  await order(id, 1);
  await worker();
  await expect.poll(async () => (await recentDeliveries(pool, id, {}, 1)).length, eventually).toBe(1);
  const [delivery] = await recentDeliveries(pool, id, { state: 'delivered' }, 1);
  expect(await resend(pool, id + 1, delivery!.id)).toBe(0);
  expect(await resend(pool, id, 'nonsense')).toBe(0);
  expect(await resend(pool, id, delivery!.id)).toBe(1);
  await expect.poll(() => hook.count(), eventually).toBe(2);
  expect(hook.calls[1]!.headers['x-peyk-delivery']).toBe(delivery!.id);
  expect(hook.calls[1]!.body).toBe(hook.calls[0]!.body);
});

test('an endpoint whose secret cannot be read is paused with that reason and nothing is sent unsigned', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  await firstSecret(pool, key, id);
  await order(id, 1);
  await worker({ key: Buffer.alloc(32, 8) });
  await expect.poll(async () => (await firstState(pool, id))!.reason, eventually).toBe('secret');
  expect(await firstState(pool, id)).toMatchObject({ state: 'paused', waiting: 1 });
  expect(hook.count()).toBe(0);
});

test('events of a removed webhook are given up after 24 hours', async () => {
  const id = await account('https://hook.example/a');
  await order(id, 5);
  await setWebhookUrl(pool, id, '', true);
  shiftMs = dayMs + 60_000;
  await giveUpExpired(pool, silentLog);
  expect(await firstState(pool, id)).toMatchObject({ url: '', waiting: 0, givenUp: 5 });
});

test('thousands of expired events are given up in pieces of at most 2,000 rows a call, none is left', async () => {
  const id = await account('https://hook.example/a');
  await setWebhookUrl(pool, id, '', true);
  await pool.query(
    `insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, next_at, expires_at, created_at)
     select $1, n, n, 'final', 'delivered', 'pending', '{}', now(), now() - interval '1 s', now() from generate_series(1, 2500) n`,
    [id],
  );
  await pool.query(
    `insert into webhook_outbox (account_id, kind, message_ids, created_at)
     select $1, 'final', array[n], now() - interval '2 days' from generate_series(1, 2500) n`,
    [id],
  );
  const givenUp = async () => {
    const { rows } = await pool.query(`select count(*)::integer as n from webhook_deliveries where state = 'given-up'`);
    return rows[0].n as number;
  };
  await pool.query(`select webhook_give_up(now(), interval '1 day', 100)`);
  expect(await givenUp()).toBe(2_000);
  expect(await giveUpExpired(pool, silentLog)).toBeUndefined();
  expect(await givenUp()).toBe(5_000);
  expect(await firstState(pool, id)).toMatchObject({ waiting: 0, pending: 0, givenUp: 5_000 });
});

test('the newest 1,000 successes of an account are kept, and nothing longer than 14 days but what is still due', async () => {
  const id = await account('https://hook.example/a');
  await pool.query('update webhook_states set last_success_at = $2 where account_id = $1', [id, new Date(nowMs())]);
  const insert = (state: string, from: number, to: number) =>
    pool.query(
      `insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, next_at, expires_at, created_at)
       select $1, n, n, 'final', 'delivered', $2, '{}', now(), now(), now() from generate_series($3::integer, $4::integer) n`,
      [id, state, from, to],
    );
  await insert('delivered', 1, 1_500);
  await insert('given-up', 1_501, 1_510);
  await insert('pending', 1_511, 1_515);
  const counts = async () => {
    const sql =
      'select state, count(*) as n, min(outbox_id) as first from webhook_deliveries group by state order by state';
    return (await pool.query(sql)).rows;
  };
  await prune(pool);
  expect(await counts()).toEqual([
    { state: 'delivered', n: 1_000, first: 501 },
    { state: 'given-up', n: 10, first: 1_501 },
    { state: 'pending', n: 5, first: 1_511 },
  ]);
  shiftMs = 15 * dayMs;
  await prune(pool);
  expect(await counts()).toEqual([{ state: 'pending', n: 5, first: 1_511 }]);
});
