// The Idempotency-Key header of send-sms: a repeat gets the first answer and creates nothing.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, numbers, order, sender, today } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import { grantCredit } from '../balance/ledger.ts';
import { nowMs, setClock } from '../time/clock.ts';

const app = await testApp();
afterAll(() => app.close());

const send = (from: TestAccount, key: string, members: object) =>
  from.call('send-sms', { order: members }, { headers: { 'Idempotency-Key': key } });
const orders = async (from: TestAccount) => (await from.call('get-reports', { filter: today() })).response.count;

test('32 calls at once with one key make one order and all get its id', async () => {
  const account = await app.open({ senders: [sender] });
  const members = order({}, freshText(), numbers(3));
  const replies = await Promise.all(Array.from({ length: 32 }, () => send(account, 'hepsi', members)));
  expect(new Set(replies.map(reply => expectSuccess(reply, 'order').order!.id)).size).toBe(1);
  expect(await orders(account)).toBe(1);
  expect((await account.call('get-balance')).response.balance!.sms).toBe(97);
});

test('32 calls at once with one key and different bodies make one order, the rest are 422', async () => {
  const account = await app.open({ senders: [sender] });
  const replies = await Promise.all(Array.from({ length: 32 }, () => send(account, 'hepsi', order())));
  expect(replies.map(reply => reply.code).sort()).toEqual([200, ...Array(31).fill(422)]);
  expect(await orders(account)).toBe(1);
});

test('a repeat is answered like the first call even when the account has changed since', async () => {
  const account = await app.open({ senders: [sender], sms: -99 });
  const members = order();
  const first = expectSuccess(await send(account, 'bir', members), 'order').order!.id;
  await app.db.query("update senders set state = 'rejected' where account_id = $1", [account.id]);
  expect(expectSuccess(await send(account, 'bir', members), 'order').order!.id).toBe(first);
});

test('the duplicate guard does not apply to a repeat, but to the same order under another key', async () => {
  const account = await app.open({ senders: [sender] });
  const members = order();
  expectSuccess(await send(account, 'bir', members), 'order');
  expectSuccess(await send(account, 'bir', members), 'order');
  expectRefusal(await send(account, 'iki', members), 451);
});

test('a refused call leaves its key free', async () => {
  const account = await app.open({ senders: [sender], sms: -100 });
  const members = order();
  expectRefusal(await send(account, 'bir', members), 402);
  expectRefusal(await send(account, 'bir', order({ sender: 'BASKA' })), 450);
  await grantCredit(app.db, account.id, 1, 'test', 'test');
  expectSuccess(await send(account, 'bir', members), 'order');
});

test('a key belongs to one account', async () => {
  const [one, other] = [await app.open({ senders: [sender] }), await app.open({ senders: [sender] })];
  const first = expectSuccess(await send(one, 'ortak', order()), 'order').order!.id;
  expect(expectSuccess(await send(other, 'ortak', order()), 'order').order!.id).not.toBe(first);
});

test('a key is free again after 24 hours', async () => {
  const account = await app.open({ senders: [sender] });
  const first = expectSuccess(await send(account, 'gunluk', order()), 'order').order!.id;
  const start = nowMs();
  const almost = setClock(() => start + 24 * 3_600_000 - 5_000);
  expectRefusal(await send(account, 'gunluk', order()), 422);
  almost();
  const after = setClock(() => start + 24 * 3_600_000 + 5_000);
  expect(expectSuccess(await send(account, 'gunluk', order()), 'order').order!.id).not.toBe(first);
  after();
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
