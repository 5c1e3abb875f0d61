// Credit under pressure: many senders at once, in every size of order, never spend more than there is.
import { afterAll, expect, test } from 'vitest';
import { freshText, numbers, order, sendDateTime, sender, today } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());

async function spendable(account: TestAccount): Promise<number> {
  return (await account.call('get-balance')).response.balance!.sms;
}

async function ledgerSum(account: TestAccount): Promise<number> {
  const { rows } = await app.db.query('select sum(sms)::int as sms from ledger_entries where account_id = $1', [
    account.id,
  ]);
  return rows[0].sms;
}

function tally(codes: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function codesOf(account: TestAccount, members: object[]): Promise<number[]> {
  const replies = await Promise.all(members.map(one => account.call('send-sms', { order: one })));
  return replies.map(reply => reply.code);
}

test('of 60 sends at once with credit for 25 exactly 25 are accepted, the rest are 402', async () => {
  const account = await app.open({ senders: [sender], sms: -75 });
  const codes = await codesOf(
    account,
    Array.from({ length: 60 }, () => order()),
  );
  expect(tally(codes)).toEqual({ 200: 25, 402: 35 });
  expect([await spendable(account), await ledgerSum(account)]).toEqual([0, 0]);
});

test('orders of every size at once spend what there is and no more', async () => {
  const account = await app.open({ senders: [sender], sms: 2_400 });
  const sizes = Array.from({ length: 60 }, (_, i) => [1, 3, 120, 1_200][i % 4]!);
  const codes = await codesOf(
    account,
    sizes.map(size => order({}, freshText(), numbers(size))),
  );
  const spent = sizes.reduce((sum, size, i) => sum + (codes[i] === 200 ? size : 0), 0);
  expect(Object.keys(tally(codes)).sort()).toEqual(['200', '402']);
  expect([await spendable(account), await ledgerSum(account)]).toEqual([2_500 - spent, 2_500 - spent]);
  expect(spent).toBeLessThanOrEqual(2_500);
  // Nobody was refused who could have been served at the end.
  expect(Math.min(...sizes.filter((_, i) => codes[i] === 402))).toBeGreaterThan(2_500 - spent);
});

test('accounts that send at the same moment do not pay for each other', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 6 }, (_, i) => app.open({ senders: [sender], sms: i - 100 })),
  );
  const codes = await Promise.all(
    accounts.map(account =>
      codesOf(
        account,
        Array.from({ length: 10 }, () => order()),
      ),
    ),
  );
  expect(codes.map(list => list.filter(code => code === 200).length)).toEqual([0, 1, 2, 3, 4, 5]);
  for (const account of accounts) expect(await spendable(account)).toBe(0);
});

test('one text sent twenty times at once to one number is one order, the rest are 451', async () => {
  const account = await app.open({ senders: [sender] });
  const same = order();
  expect(tally(await codesOf(account, Array(20).fill(same)))).toEqual({ 200: 1, 451: 19 });
  expect(await spendable(account)).toBe(99);
});

test('among orders that arrive together each is judged by itself', async () => {
  const account = await app.open({ senders: [sender] });
  const [blocked, free] = numbers(2);
  await account.call('add-blacklist', { blacklist: { number: blocked } });
  const members = Array.from({ length: 20 }, (_, i) => order({}, freshText(), [i % 2 ? blocked : free]));
  expect(await codesOf(account, members)).toEqual(members.map((_, i) => (i % 2 ? 452 : 200)));
  expect(await spendable(account)).toBe(90);
});

test('credit of schedules that are cancelled while others send comes back whole', async () => {
  const account = await app.open({ senders: [sender] });
  const scheduled = await Promise.all(
    Array.from({ length: 10 }, () =>
      account.send(order({ sendDateTime: sendDateTime(3_600_000) }, freshText(), numbers(5))),
    ),
  );
  await Promise.all([
    ...scheduled.map(id => account.call('cancel-order', { order: { id } })),
    ...Array.from({ length: 10 }, () => account.send(order())),
  ]);
  expect([await spendable(account), await ledgerSum(account)]).toEqual([90, 90]);
});

test('settling while sending keeps ledger, balance and counters in step', async () => {
  const account = await app.open({ senders: [sender] });
  const ids = await Promise.all(Array.from({ length: 10 }, () => account.send(order({}, freshText(), numbers(4)))));
  await Promise.all([
    ...ids.map(id => app.settle(account, id, 111, 1)),
    ...ids.map(id => app.settle(account, id, 112)),
    ...Array.from({ length: 10 }, () => account.send(order())),
  ]);
  const { orders } = (await account.call('get-reports', { filter: today() })).response;
  const delivered = orders!.reduce((sum, one) => sum + one.delivered, 0);
  expect(await spendable(account)).toBe(100 - delivered - 10);
});

test('a message settled twice, or the other way, changes nothing the second time', async () => {
  const account = await app.open({ senders: [sender] });
  const id = await account.send(order());
  const { rows } = await app.db.query('select id from messages where order_id = $1', [id]);
  const settle = (status: number) => app.db.query('select settle($1, $2, $3) as n', [[rows[0].id], [status], [0]]);
  expect((await settle(111)).rows[0].n).toBe(1);
  expect((await settle(111)).rows[0].n).toBe(0);
  expect((await settle(112)).rows[0].n).toBe(0);
  expect(await spendable(account)).toBe(99);
});

test('after all of it every invariant holds and nothing was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
