// get-balance and get-sender.
import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../../test/support/customers/answers.ts';
import { order, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { grantCredit } from '../balance/ledger.ts';
import { decideSender } from '../senders/senders.ts';

const app = await testApp();
afterAll(() => app.close());

test('a new account has 100 credits and no money', async () => {
  const account = await app.open();
  expect(expectSuccess(await account.call('get-balance'), 'balance').balance).toEqual({ amount: 0, sms: 100 });
});

test('amount is shown to the last of its four decimals, and sums of it are exact', async () => {
  const account = await app.open();
  for (let i = 0; i < 10; i++) await grantCredit(app.db, account.id, 0, 'test', 'test', '0.1');
  expect((await account.call('get-balance')).response.balance!.amount).toBe(1);
  await grantCredit(app.db, account.id, 0, 'test', 'test', '9999999998.9999');
  expect((await account.call('get-balance')).text).toContain('"amount":9999999999.9999');
});

test('sms is what can still be spent: credit of messages under way is already taken', async () => {
  const account = await app.open({ senders: [sender] });
  await account.send(order({}, 'a'.repeat(400)));
  expect((await account.call('get-balance')).response.balance!.sms).toBe(97);
});

test('members beside the authentication are no concern of get-balance', async () => {
  const account = await app.open();
  for (const more of [{ order: {} }, { order: '' }, { balance: null }])
    expectSuccess(await account.call('get-balance', more), 'balance');
});

test('get-sender lists the approved senders and only those', async () => {
  const account = await app.open();
  expect(expectSuccess(await account.call('get-sender'), 'senders').senders).toEqual({ sender: [] });
  await decideSender(app.db, account.id, 'PEYK', 'approved');
  await decideSender(app.db, account.id, 'Peyk 2', 'approved');
  await decideSender(app.db, account.id, 'ESKI', 'rejected');
  expect((await account.call('get-sender')).response.senders!.sender.sort()).toEqual(['PEYK', 'Peyk 2']);
  await decideSender(app.db, account.id, 'PEYK', 'rejected');
  expect((await account.call('get-sender')).response.senders!.sender).toEqual(['Peyk 2']);
});
