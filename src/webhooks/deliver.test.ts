import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { HookCall } from '../../simulators/hook-receiver/main.ts';
import { webhookScene } from '../../test/support/customers/webhook-scene.ts';
import { firstSecret, firstState } from '../../test/support/customers/webhooks.ts';
import { projectRoot } from '../db/version.ts';
import { silentLog } from '../log.ts';
import { setClock } from '../time/clock.ts';
import { recentDeliveries } from './deliveries.ts';
import { changeEndpoint, setWebhookInbound } from './endpoints.ts';
import { createPoster } from './post.ts';
import { giveUpExpired } from './retention.ts';

const hourMs = 3_600_000;

let shiftMs = 0;
afterAll(setClock(() => Date.now() + shiftMs));
afterEach(() => {
  shiftMs = 0;
});
const { pool, connection, key, config, cleanUp, receiver, worker, account, order, settle } = await webhookScene();

const reportOf = (call: HookCall) => JSON.parse(call.body).report as { id: number; status: string };

/** Statuses in order of arrival, per message. */
function sequences(calls: HookCall[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { id, status } of calls.map(reportOf)) found.set(id, [...(found.get(id) ?? []), status]);
  return found;
}

async function isQuiet(): Promise<boolean> {
  const { rows } = await pool.query(
    `select (select count(*) from webhook_outbox) + (select count(*) from webhook_deliveries where state = 'pending') as n`,
  );
  return rows[0].n === 0;
}

const eventually = { timeout: 90_000, interval: 20 };

test('payload and headers are exactly as documented', async () => {
  const hook = await receiver();
  const id = await account(`${hook.url}/sms`);
  const secret = await firstSecret(pool, key, id);
  const sent = await order(id, 1, ['12ab']);
  await worker();
  await expect.poll(() => hook.count(), eventually).toBe(2);
  await settle([sent.messages[1]!], 111);
  await expect.poll(() => hook.count(), eventually).toBe(3);

  const [badId, goodId] = sent.messages;
  const report = (message: number, status: string, to: string) =>
    `{"report":{"id":${message},"packet_id":${sent.id},"status":"${status}","to":"${to}","body":"Merhaba dünya"}}`;
  expect(hook.calls.map(call => call.body).sort()).toEqual(
    [
      report(badId!, 'undelivered', '12ab'),
      report(goodId!, 'accepted', '+905550000000'),
      report(goodId!, 'delivered', '+905550000000'),
    ].sort(),
  );
  for (const { headers, body, path } of hook.calls) {
    const time = headers['x-peyk-timestamp'] as string;
    expect(path).toBe('/sms');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toBe('Peyk/1');
    expect(time).toMatch(/^\d{10}$/);
    expect(headers['x-peyk-signature']).toBe(
      `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
    );
    // Those of Standard Webhooks.
    const id = headers['x-peyk-delivery'] as string;
    const standard = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${standard}`,
    });
  }
  expect(new Set(hook.calls.map(call => call.headers['x-peyk-delivery'])).size).toBe(3);
});

test('an inbound message is posted only to an account that wants it', async () => {
  const hook = await receiver();
  const ids = [await account(hook.url), await account(hook.url)];
  await setWebhookInbound(pool, ids[1]!, true);
  const inbound: number[] = [];
  for (const id of ids) {
    const { rows } = await pool.query(
      `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
       values ($1, 905550000000, '+905550000000', '3340', 'DENEME merhaba', '2026-01-02T21:04:05Z') returning id`,
      [id],
    );
    inbound.push(rows[0].id);
    await pool.query("insert into webhook_outbox (account_id, kind, inbound_id) values ($1, 'inbound', $2)", [
      id,
      rows[0].id,
    ]);
  }
  await worker();
  await expect.poll(isQuiet, eventually).toBe(true);
  expect(hook.calls.map(call => call.body)).toEqual([
    `{"inbound":{"id":${inbound[1]},"number":"+905550000000","to":"3340","text":"DENEME merhaba","receivedAt":"2026-01-03 00:04:05"}}`,
  ]);
});

test('only the events that were chosen are posted, the others are settled and wait for nothing', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  await changeEndpoint(pool, id, 1, { events: ['undelivered'] }, true);
  const sent = await order(id, 600);
  await settle(sent.messages.slice(0, 590), 111);
  await settle(sent.messages.slice(590), 112);
  await worker();
  await expect.poll(isQuiet, eventually).toBe(true);
  expect(hook.calls.map(call => JSON.parse(call.body).report.status)).toEqual(Array(10).fill('undelivered'));
});

test('every message of a large order gets accepted before its final event', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  const sent = await order(id, 3_000);
  await settle(sent.messages.slice(0, 1_500), 111);
  await settle(sent.messages.slice(1_500), 112);
  await worker();
  await expect.poll(isQuiet, eventually).toBe(true);
  const found = sequences(hook.calls);
  expect(found.size).toBe(3_000);
  for (const [i, message] of sent.messages.entries())
    expect(found.get(message)).toEqual(['accepted', i < 1_500 ? 'delivered' : 'undelivered']);
});

test('a failed event is repeated with the same delivery id, and the next event of its message waits for it', async () => {
  const hook = await receiver();
  hook.setMode({ mode: 'failing', status: 503, first: 1 });
  const id = await account(hook.url);
  const sent = await order(id, 1);
  await settle(sent.messages, 111);
  await worker();
  // The failure and the event behind it are recorded before anything is due again.
  const waiting = async () => (await firstState(pool, id))!.pending;
  await expect.poll(waiting, eventually).toBe(2);
  expect(hook.calls.map(call => reportOf(call).status)).toEqual(['accepted']);
  shiftMs = 9_000;
  expect(await firstState(pool, id)).toMatchObject({
    state: 'failing',
    reason: 'status',
    answerStatus: 503,
    failures: 1,
  });
  expect(hook.count()).toBe(1);
  shiftMs = 11_000;
  await expect.poll(isQuiet, eventually).toBe(true);
  expect(hook.calls.map(call => reportOf(call).status)).toEqual(['accepted', 'accepted', 'delivered']);
  const [first, again, next] = hook.calls.map(call => call.headers['x-peyk-delivery']);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
  expect(await firstState(pool, id)).toMatchObject({ state: 'healthy', failures: 0, pending: 0, waiting: 0 });
});

test('an answer that is cut off counts as a failure and is repeated with the same delivery id', async () => {
  const hook = await receiver();
  hook.setMode({ mode: 'close', first: 1 });
  const id = await account(hook.url);
  await order(id, 1);
  await worker();
  await expect.poll(async () => (await firstState(pool, id))!.reason, eventually).toBe('cut');
  shiftMs = 11_000;
  await expect.poll(isQuiet, eventually).toBe(true);
  expect(hook.calls.map(call => call.headers['x-peyk-delivery'])).toEqual(
    Array(2).fill(hook.calls[0]!.headers['x-peyk-delivery']),
  );
});

test('others do not wait for an endpoint that hangs', async () => {
  const [dead, alive] = [await receiver(), await receiver()];
  dead.setMode({ mode: 'hang' });
  const [deadId, aliveId] = [await account(dead.url), await account(alive.url)];
  await order(deadId, 2_000);
  await order(aliveId, 2_000);
  await worker({ poster: createPoster({ allowPrivate: true, timeoutMs: 60_000 }) });
  await expect.poll(() => alive.count(), eventually).toBe(2_000);
  expect(dead.count()).toBeLessThanOrEqual(16);
  // So that stopping does not wait for it.
  await dead.stop();
});

test('a dead endpoint is paused with its backlog folded, probed, and gets everything in order when it is back', async () => {
  const hook = await receiver();
  hook.setMode({ mode: 'failing', status: 500 });
  const id = await account(hook.url);
  const sent = await order(id, 400);
  await settle(sent.messages, 111);
  await worker();
  await expect.poll(async () => (await firstState(pool, id))!.nextProbeAt, eventually).not.toBeNull();
  const afterBurst = hook.count();
  // 20 in a row, and those in flight at that moment.
  expect(afterBurst).toBeLessThanOrEqual(20 + 16);
  for (let step = 1; (await firstState(pool, id))!.state !== 'paused'; step++) {
    const before = hook.count();
    shiftMs += 31_000;
    await expect.poll(() => hook.count(), eventually).toBe(before + 1);
    const since = shiftMs;
    const probed = async () => (await firstState(pool, id))!.nextProbeAt!.getTime() > Date.now() + since;
    await expect.poll(probed, eventually).toBe(true);
    expect(step).toBeLessThan(4);
  }
  expect(await firstState(pool, id)).toMatchObject({ state: 'paused', reason: 'status' });
  hook.setMode({ mode: 'ok' });
  hook.reset();
  shiftMs += 600_000;
  await expect.poll(isQuiet, eventually).toBe(true);
  const found = sequences(hook.calls);
  for (const message of sent.messages) expect(found.get(message)).toEqual(['accepted', 'delivered']);
  expect(await firstState(pool, id)).toMatchObject({ state: 'healthy', pending: 0, waiting: 0, givenUp: 0 });
});

test('after 24 hours of failures events are given up visibly, folded ones too', async () => {
  const hook = await receiver();
  hook.setMode({ mode: 'failing', status: 500 });
  const id = await account(hook.url);
  await order(id, 100);
  const running = await worker();
  await expect.poll(async () => (await firstState(pool, id))!.nextProbeAt, eventually).not.toBeNull();
  await running.stop();
  shiftMs = 23 * hourMs;
  await giveUpExpired(pool, silentLog);
  expect((await firstState(pool, id))!.givenUp).toBe(0);
  shiftMs = 25 * hourMs;
  await giveUpExpired(pool, silentLog);
  expect(await firstState(pool, id)).toMatchObject({ givenUp: 100, pending: 0, waiting: 0 });
  const listed = await recentDeliveries(pool, id, { state: 'given-up' }, 1);
  expect(listed.reduce((sum, one) => sum + one.events, 0)).toBe(100);
  expect(listed.find(one => one.body === null)).toMatchObject({ kind: 'accepted', error: 'down', attempts: 0 });
});

test('an event whose last attempt fails is given up, and the next event of its message goes out', async () => {
  const hook = await receiver();
  hook.setMode({ mode: 'failing', status: 500, first: 2 });
  const id = await account(hook.url);
  const sent = await order(id, 1);
  await settle(sent.messages, 112);
  await worker();
  await expect.poll(async () => (await firstState(pool, id))!.pending, eventually).toBe(2);
  shiftMs = 24 * hourMs;
  await expect.poll(isQuiet, eventually).toBe(true);
  expect(hook.calls.map(call => reportOf(call).status)).toEqual(['accepted', 'accepted', 'undelivered']);
  const [given] = await recentDeliveries(pool, id, { state: 'given-up' }, 1);
  expect(given).toMatchObject({ event: 'accepted', attempts: 2, answerStatus: 500, error: 'status', nextAt: null });
});

test('while a secret is being replaced both sign, and 24 hours later only the new one', async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  const old = await firstSecret(pool, key, id);
  const fresh = await firstSecret(pool, key, id, true);
  expect(await firstSecret(pool, key, id)).toBe(fresh);
  await worker();
  await order(id, 1);
  await expect.poll(() => hook.count(), eventually).toBe(1);
  shiftMs = 24 * hourMs + 1_000;
  await order(id, 1);
  await expect.poll(() => hook.count(), eventually).toBe(2);
  const signed = (call: HookCall, secret: string) =>
    `v1=${createHmac('sha256', secret).update(`${call.headers['x-peyk-timestamp']}.${call.body}`).digest('hex')}`;
  const [during, after] = hook.calls as [HookCall, HookCall];
  expect(during.headers['x-peyk-signature']).toBe(`${signed(during, fresh)},${signed(during, old)}`);
  expect(after.headers['x-peyk-signature']).toBe(signed(after, fresh));
});

test('two workers share the accounts and no event goes out twice', async () => {
  const hooks = await Promise.all([receiver(), receiver(), receiver()]);
  for (const hook of hooks) await order(await account(hook.url), 500);
  await Promise.all([worker(), worker()]);
  await expect.poll(isQuiet, eventually).toBe(true);
  for (const hook of hooks) expect(new Set(hook.calls.map(call => reportOf(call).id)).size).toBe(hook.count());
  expect(hooks.map(hook => hook.count())).toEqual([500, 500, 500]);
});

test('a worker killed by SIGKILL loses no event and never repeats one after its successor', {
  timeout: 240_000,
}, async () => {
  const hook = await receiver();
  const id = await account(hook.url);
  const messages: number[] = [];
  for (const count of [...Array(200).fill(1), 1_800]) {
    const sent = await order(id, count);
    await settle(sent.messages, 111);
    messages.push(...sent.messages);
  }
  for (const share of [300, 1_500, 2_800]) {
    const child = startChild();
    await expect.poll(() => hook.count() >= share, { timeout: 90_000, interval: 1 }).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await worker();
  await expect.poll(isQuiet, eventually).toBe(true);
  const found = sequences(hook.calls);
  for (const message of messages) expect((found.get(message) ?? []).join(' ')).toMatch(/^(accepted ?)+(delivered ?)+$/);
});

/** The worker in a process of its own. */
function startChild() {
  const code = `
    import { load } from './test/support/run/load-source.mjs';
    const { openPool } = await load('db/db.ts');
    const { startWebhooks } = await load('webhooks/deliver.ts');
    const { silentLog } = await load('log.ts');
    const { connection, config } = JSON.parse(process.env.WORKER);
    const db = openPool(connection, { max: 4, name: 'peyk webhooks', onError() {} });
    await startWebhooks({ db, connection, key: Buffer.alloc(32, 7), config, log: silentLog });`;
  const env = { ...process.env, WORKER: JSON.stringify({ connection, config }) };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: projectRoot(),
    env,
    stdio: 'inherit',
  });
  cleanUp.push(async () => child.exitCode === null && child.kill('SIGKILL'));
  return child;
}
