// cancel-order: an order can be cancelled once, and only before its sending begins.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, numbers, order, sendDateTime, sender, today } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { fireOrder } from '../queue/fire.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000 });
const later = () => ({ sendDateTime: sendDateTime(3_600_000) });
const cancel = (id: unknown, from = account) => from.call('cancel-order', { order: { id } });

test('cancel-order answers 200 with the status only, gives the credit back, and the report shows 115', async () => {
  const fresh = await app.open({ senders: [sender] });
  const id = await fresh.send(order(later(), freshText(), numbers(3)));
  expect((await fresh.call('get-balance')).response.balance!.sms).toBe(97);
  expectSuccess(await cancel(id, fresh));
  expect((await fresh.call('get-balance')).response.balance!.sms).toBe(100);
  const found = expectSuccess(await fresh.call('get-report', { order: { id } }), 'order').order!;
  expect(found).toMatchObject({ status: 115, total: 3, delivered: 0, undelivered: 3, waiting: 0, price: 0 });
  expect(found.message.map(one => one.status)).toEqual([112, 112, 112]);
  expect((await fresh.call('get-reports', { filter: today() })).response.orders![0]).toMatchObject({ status: 115 });
});

test('cancel-order takes the id as a string or as a number', async () => {
  expectSuccess(await cancel(Number(await account.send(order(later())))));
  expectSuccess(await cancel(await account.send(order(later()))));
});

test('cancel-order answers 455 to a second cancel of the same order', async () => {
  const id = await account.send(order(later()));
  expectSuccess(await cancel(id));
  expectRefusal(await cancel(id), 455);
});

test('cancel-order answers 455 to an order that was sent at once, is under way or has ended', async () => {
  const id = await account.send(order());
  expectRefusal(await cancel(id), 455);
  await app.settle(account, id, 111);
  expectRefusal(await cancel(id), 455);
});

test('cancel-order answers 455 once the schedule has fired', async () => {
  const id = await account.send(order(later()));
  await fireOrder(app.db, { id: Number(id), accountId: account.id, lane: 0, rate: 100 }, 3_600_000);
  expectRefusal(await cancel(id), 455);
});

test('cancel-order answers 455 to an order of another account, which stays scheduled', async () => {
  const id = await account.send(order(later()));
  expectRefusal(await cancel(id, await app.open()), 455);
  expectRefusal(await account.call('get-report', { order: { id } }), 456);
});

test('cancel-order answers 455 to an id that is unknown or none', async () => {
  for (const id of ['1', 0, -1, 1.5, '', null, undefined, 'abc', [], {}, true, '9'.repeat(40)])
    expectRefusal(await cancel(id), 455);
});

test('of many cancels at once exactly one wins', async () => {
  const id = await account.send(order(later(), freshText(), numbers(10)));
  const codes = (await Promise.all(Array.from({ length: 16 }, () => cancel(id)))).map(reply => reply.code);
  expect(codes.sort()).toEqual([200, ...Array(15).fill(455)]);
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
