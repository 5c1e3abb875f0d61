// Several addresses of one account: each gets the events it chose, in order, whatever happens to the others.
import { expect, test } from 'vitest';
import type { HookReceiver } from '../../simulators/hook-receiver/main.ts';
import { webhookScene } from '../../test/support/customers/webhook-scene.ts';
import { recentDeliveries, resend, sendTest } from './deliveries.ts';
import { endpointStates } from './endpoint-state.ts';
import {
  addEndpoint,
  changeEndpoint,
  endpointSecret,
  removeEndpoint,
  rotateSecret,
  setWebhookInbound,
  setWebhookUrl,
} from './endpoints.ts';
import type { WebhookEventName } from './events.ts';
import { prune } from './retention.ts';
import { signatureHeader } from './signature.ts';

const eventually = { timeout: 90_000, interval: 20 };
const { pool, key, cleanUp, receiver, worker, account, order, settle } = await webhookScene();

const add = (id: number, url: string, events?: WebhookEventName[]) =>
  addEndpoint(pool, id, { url, ...(events ? { events } : {}) }, true);

async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `select (select count(*) from webhook_outbox) + (select count(*) from webhook_deliveries where state = 'pending') as n`,
  );
  return rows[0].n;
}

const statuses = (hook: HookReceiver) => hook.calls.map(call => JSON.parse(call.body).report?.status as string).sort();
/** In order of arrival, by message. */
function sequences(hook: HookReceiver): string[] {
  const found = new Map<number, string[]>();
  for (const call of hook.calls) {
    const { id, status } = JSON.parse(call.body).report;
    found.set(id, [...(found.get(id) ?? []), status]);
  }
  return [...found.values()].map(one => one.join(' '));
}

test('each address gets the events that it wants, signed with its own secret, each message in order', async () => {
  const [all, ends, failures] = [await receiver(), await receiver(), await receiver()];
  const id = await account();
  const numbers = [
    await add(id, all.url),
    await add(id, ends.url, ['delivered', 'undelivered']),
    await add(id, failures.url, ['undelivered']),
  ];
  expect(numbers).toEqual([1, 2, 3]);
  const { messages } = await order(id, 60, ['12ab']);
  await settle(messages.slice(1, 51), 111);
  await settle(messages.slice(51), 112);
  await worker();
  await expect.poll(waiting, eventually).toBe(0);
  expect(all.count()).toBe(121);
  expect(new Set(sequences(all))).toEqual(new Set(['undelivered', 'accepted delivered', 'accepted undelivered']));
  expect(statuses(ends)).toEqual([...Array(50).fill('delivered'), ...Array(11).fill('undelivered')]);
  expect(statuses(failures)).toEqual(Array(11).fill('undelivered'));
  for (const [i, hook] of [all, ends, failures].entries()) {
    const { headers, body } = hook.calls[0]!;
    const secret = await endpointSecret(pool, key, id, i + 1);
    expect(headers['x-peyk-signature']).toBe(signatureHeader([secret], Number(headers['x-peyk-timestamp']), body));
  }
});

test('a result that the database refuses is set aside, and what happened beside it is recorded', async () => {
  const [one, other] = [await receiver(), await receiver()];
  const [id, neighbour] = [await account(), await account()];
  await add(id, one.url, ['delivered']);
  await add(neighbour, other.url, ['delivered']);
  const messages = [(await order(id, 40)).messages, (await order(neighbour, 40)).messages];
  // Successes are not all recorded.
  await pool.query(`alter table webhook_deliveries add constraint refused check (account_id <> ${id}) not valid`);
  cleanUp.push(() => pool.query('alter table webhook_deliveries drop constraint refused'));
  await settle(messages[0]!, 111);
  await settle(messages[1]!, 111);
  await worker();
  await expect.poll(waiting, eventually).toBe(0);
  expect([one.count(), other.count()]).toEqual([40, 40]);
  const { rows } = await pool.query('delete from refused_items returning what, item');
  expect(rows.length).toBeGreaterThan(0);
  for (const refused of rows)
    expect(refused).toEqual({ what: 'webhook result', item: expect.stringContaining(`"account":${id},`) });
  const kept = await pool.query('select distinct account_id as id from webhook_deliveries');
  expect(kept.rows).toEqual([{ id: neighbour }]);
});

test('what no address wants is not stored', async () => {
  const id = await account();
  await add(id, 'https://hook.example/a', ['inbound']);
  await add(id, 'https://hook.example/b', ['delivered']);
  await add(id, 'https://hook.example/c', ['accepted', 'undelivered']);
  await changeEndpoint(pool, id, 3, { enabled: false }, true);
  const { messages } = await order(id, 3, ['12ab']);
  expect(await waiting()).toBe(0);
  await settle(messages.slice(1, 2), 112);
  expect(await waiting()).toBe(0);
  await settle(messages.slice(2), 111);
  const { rows } = await pool.query('select message_ids as ids from webhook_outbox');
  expect(rows).toEqual([{ ids: messages.slice(2) }]);
});

test('an address that fails holds up no other of its account, and each tells its own state and log', async () => {
  const [good, broken] = [await receiver(), await receiver()];
  broken.setMode({ mode: 'failing', status: 503 });
  const id = await account();
  await add(id, broken.url);
  await add(id, good.url);
  const { messages } = await order(id, 200);
  await settle(messages, 111);
  await worker();
  await expect.poll(() => good.count(), eventually).toBe(400);
  await expect.poll(async () => (await endpointStates(pool, id))[0]!.nextProbeAt, eventually).not.toBeNull();
  expect(new Set(sequences(good))).toEqual(new Set(['accepted delivered']));
  await expect.poll(async () => (await endpointStates(pool, id))[1]!.waiting, eventually).toBe(0);
  const [first, second] = await endpointStates(pool, id);
  expect(first).toMatchObject({ no: 1, state: 'failing', reason: 'status', answerStatus: 503 });
  expect(first!.waiting + first!.pending).toBe(400);
  expect(second).toMatchObject({ no: 2, state: 'healthy', pending: 0, givenUp: 0 });
  expect((await recentDeliveries(pool, id, { no: 2 }, 1)).every(one => one.state === 'delivered')).toBe(true);
  expect((await recentDeliveries(pool, id, { no: 1 }, 1)).some(one => one.answerStatus === 503)).toBe(true);
});

test('a secret is rotated, a test is sent and events are sent again for one address alone', async () => {
  const [a, b] = [await receiver(), await receiver()];
  const id = await account();
  await add(id, a.url);
  await add(id, b.url);
  const before = await endpointSecret(pool, key, id, 1);
  const old = await endpointSecret(pool, key, id, 2);
  expect(await rotateSecret(pool, key, id, 2)).not.toBe(old);
  expect(await endpointSecret(pool, key, id, 1)).toBe(before);
  await order(id, 2);
  await worker();
  await expect.poll(() => a.count() + b.count(), eventually).toBe(4);
  await sendTest(pool, id, 2);
  await expect.poll(() => b.count(), eventually).toBe(3);
  await expect
    .poll(async () => (await recentDeliveries(pool, id, { state: 'delivered' }, 1)).length, eventually)
    .toBe(5);
  await pool.query("update webhook_deliveries set state = 'given-up' where kind <> 'test'");
  expect(await resend(pool, id, { failedSince: new Date(0), no: 2 })).toBe(2);
  await expect.poll(() => b.count(), eventually).toBe(5);
  // A post is recorded a little later.
  await expect
    .poll(async () => (await recentDeliveries(pool, id, { state: 'delivered', no: 2 }, 1)).length, eventually)
    .toBe(3);
  expect(await resend(pool, id, { failedSince: new Date(0), no: null })).toBe(2);
  await expect.poll(() => a.count(), eventually).toBe(4);
});

test('an inbound message goes to the addresses that want it', async () => {
  const [a, b, c] = [await receiver(), await receiver(), await receiver()];
  const id = await account();
  await add(id, a.url);
  await add(id, b.url, ['inbound']);
  await add(id, c.url, ['accepted', 'inbound']);
  const { rows } = await pool.query(
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
     values ($1, 905550000000, '+905550000000', '3340', 'DENEME merhaba', now()) returning id`,
    [id],
  );
  await pool.query(
    `insert into webhook_outbox (account_id, kind, inbound_id)
     select w.account_id, 'inbound', $2 from webhook_endpoints w where w.owner_id = $1 and w.url <> '' and w.inbound`,
    [id, rows[0].id],
  );
  await worker();
  await expect.poll(() => b.count() + c.count(), eventually).toBe(2);
  expect(JSON.parse(b.calls[0]!.body).inbound.id).toBe(rows[0].id);
  expect(a.count()).toBe(0);
});

test('a removed address is gone with what waits for it while the others go on', async () => {
  const [kept, removed] = [await receiver(), await receiver()];
  removed.setMode({ mode: 'failing', status: 500 });
  const id = await account();
  for (const hook of [kept, removed]) await add(id, hook.url);
  await order(id, 50);
  await worker();
  await expect.poll(() => kept.count(), eventually).toBe(50);
  await expect.poll(() => removed.count(), eventually).toBeGreaterThan(0);
  await removeEndpoint(pool, id, 2);
  await expect(removeEndpoint(pool, id, 2)).rejects.toThrow('no such webhook address');
  expect((await endpointStates(pool, id)).map(one => one.no)).toEqual([1]);
  await expect.poll(waiting, eventually).toBe(0);
  await order(id, 1);
  await expect.poll(() => kept.count(), eventually).toBe(51);
  await prune(pool);
  expect((await pool.query('select 1 from webhook_outbox where account_id < 0')).rowCount).toBe(0);
});

test('the operator’s words for one address go by the first: it is set, kept with its secret while empty, and taken up again', async () => {
  const id = await account();
  const secret = await endpointSecret(pool, key, id, 1);
  await setWebhookInbound(pool, id, true);
  await setWebhookUrl(pool, id, 'https://hook.example/a', true);
  await setWebhookUrl(pool, id, '', true);
  expect(await endpointStates(pool, id)).toMatchObject([{ no: 1, url: '', inbound: true }]);
  expect(await add(id, 'https://hook.example/b')).toBe(1);
  expect(await endpointSecret(pool, key, id, 1)).toBe(secret);
  expect(await add(id, 'https://hook.example/c')).toBe(2);
  await expect(setWebhookUrl(pool, id, '', true)).rejects.toThrow('further webhook addresses');
  await removeEndpoint(pool, id, 1);
  expect((await endpointStates(pool, id)).map(one => [one.no, one.url])).toEqual([[2, 'https://hook.example/c']]);
  expect(await add(id, 'https://hook.example/d')).toBe(1);
});

test('ten at once make ten addresses and no eleventh', async () => {
  const id = await account();
  const urls = Array.from({ length: 14 }, (_, i) => `https://hook.example/${i}`);
  const results = await Promise.allSettled(urls.map(url => add(id, url)));
  expect(results.filter(one => one.status === 'fulfilled')).toHaveLength(10);
  expect((await endpointStates(pool, id)).map(one => one.no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
