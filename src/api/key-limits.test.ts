// Limits of a key hold for concurrent calls and for every way to send an order.
import { afterAll, expect, test } from 'vitest';
import { number, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { createKey, limitKey, rotateKey } from '../accounts/api-keys.ts';
import { listRefusals } from '../accounts/refusals.ts';

const app = await testApp();
const account = await app.open({ senders: [sender], sms: 100_000 });
afterAll(() => app.close());

const none = { scopes: null, recipientsMax: null, dailyMax: null };
const texts = { count: 0 };
const orderOf = (recipients: number) => ({
  order: {
    sender,
    message: {
      text: `Anahtar ${texts.count++}`,
      receipents: { number: Array.from({ length: recipients }, () => number()) },
    },
  },
});

test('a key calls the operations of its scopes alone, and a change counts for the next call', async () => {
  const key = await createKey(app.db, account.id, 'Okur', { ...none, scopes: ['read'] });
  // The scope is checked before anything else in the request.
  const may = async (operation: string, members: object) => (await account.call(operation, members, key)).code !== 401;
  const all = () =>
    Promise.all([may('get-balance', {}), may('send-sms', orderOf(1)), may('add-blacklist', { blacklist: {} })]);
  expect(await all()).toEqual([true, false, false]);
  await limitKey(app.db, account.id, key.key, { scopes: ['send'] });
  expect(await all()).toEqual([false, true, false]);
  await limitKey(app.db, account.id, key.key, { scopes: ['verify'] });
  expect(await all()).toEqual([true, false, false]);
  const checks = ['get-balance', 'get-sender', 'iys-check', 'get-report', 'get-reports', 'get-blacklist', 'get-inbox'];
  expect(await Promise.all(checks.map(one => may(one, {})))).toEqual([true, true, true, false, false, false, false]);
  await limitKey(app.db, account.id, key.key, { scopes: null });
  expect(await all()).toEqual([true, true, true]);
  await app.refusals.flush();
  expect((await listRefusals(app.db, account.id)).map(one => one.cause)).toContain('key-scope');
});

test('a call of more recipients than the key may write to is refused whole, and a rotated key keeps its limits', async () => {
  const key = await createKey(app.db, account.id, 'Az', { ...none, recipientsMax: 3 });
  expect((await account.call('send-sms', orderOf(3), key)).code).toBe(200);
  expect((await account.call('send-sms', orderOf(4), key)).code).toBe(452);
  expect((await account.call('send-sms', orderOf(50_000), key)).code).toBe(452);
  const fresh = await rotateKey(app.db, account.id, key.key, 0, 'rotated');
  expect((await account.call('send-sms', orderOf(4), fresh)).code).toBe(452);
});

test('of fifty calls at once no more messages are accepted than the key’s day has room for, and refused ones count for nothing', async () => {
  const key = await createKey(app.db, account.id, 'Gün', { ...none, dailyMax: 20 });
  const unknown = { order: { ...orderOf(20).order, sender: 'YOKBOYLE' } };
  for (let i = 0; i < 3; i++) expect((await account.call('send-sms', unknown, key)).code).toBe(450);
  const codes = await Promise.all(
    Array.from({ length: 50 }, async () => (await account.call('send-sms', orderOf(2), key)).code),
  );
  expect(codes.filter(code => code === 200)).toHaveLength(10);
  expect(codes.filter(code => code === 452)).toHaveLength(40);
  // The next day.
  await app.db.query('update credentials set used_on = used_on - 1 where key = $1', [key.key]);
  expect((await account.call('send-sms', orderOf(20), key)).code).toBe(200);
});

test('a repeat with the same idempotency key is answered, also when the day is full', async () => {
  const key = await createKey(app.db, account.id, 'Yine', { ...none, dailyMax: 1 });
  const order = orderOf(1);
  const options = { ...key, headers: { 'Idempotency-Key': 'bir' } };
  const first = await account.call('send-sms', order, options);
  expect([first.code, (await account.call('send-sms', order, options)).response]).toEqual([200, first.response]);
  expect((await account.call('send-sms', orderOf(1), key)).code).toBe(452);
});
