// get-blacklist, add-blacklist, delete-blacklist.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, number, numbers, order, sender, shown } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());

const add = (from: TestAccount, given: unknown) => from.call('add-blacklist', { blacklist: { number: given } });
const remove = (from: TestAccount, given: unknown) => from.call('delete-blacklist', { blacklist: { number: given } });
const list = async (from: TestAccount, blacklist?: unknown) =>
  expectSuccess(await from.call('get-blacklist', { blacklist }), 'blacklist').blacklist!;

/** Adds `count` entries, one a minute from 2026-03-31 23:00:00 Turkish time. */
async function aged(count: number): Promise<TestAccount> {
  const account = await app.open();
  await app.db.query(
    `insert into blacklist_entries (account_id, number, added_at)
     select $1, 905550000000 + i, timestamptz '2026-03-31 20:00:00.5+00' + i * interval '1 minute'
     from generate_series(0, $2 - 1) i`,
    [account.id, count],
  );
  return account;
}

test('an empty list is count 0 and an empty array', async () => {
  expect(await list(await app.open())).toEqual({ count: 0, number: [] });
});

test('add-blacklist takes every spelling of a number, and adding it again changes nothing', async () => {
  const account = await app.open();
  const spellings = [
    number(),
    `0${number()}`,
    `90${number()}`,
    `+90${number()}`,
    '+90 555 000 00 00',
    Number(number()),
  ];
  for (const spelling of spellings) expectSuccess(await add(account, spelling));
  expect(await list(account)).toEqual({ count: 1, number: [shown()] });
});

test('a removed number can be written to again', async () => {
  const account = await app.open({ senders: [sender] });
  expectSuccess(await add(account, number()));
  expectRefusal(await account.call('send-sms', { order: order() }), 452);
  expectSuccess(await remove(account, `+90 ${number()}`));
  expectSuccess(await account.call('send-sms', { order: order() }), 'order');
});

const noNumber = ['', null, undefined, 'abc', '5999000000', '905999000000', '555', '+491511234567', [], {}, true, 1.5];
const oneOnly = [[number()], numbers(2), `${number()},${number(1)}`];

test('add-blacklist answers 466 to what is no Turkish mobile number, or more than one', async () => {
  const account = await app.open();
  for (const given of [...noNumber, ...oneOnly]) expectRefusal(await add(account, given), 466);
  expect((await list(account)).count).toBe(0);
});

test('delete-blacklist answers 466 to what is no Turkish mobile number, or more than one', async () => {
  const account = await app.open();
  for (const given of [...noNumber, ...oneOnly]) expectRefusal(await remove(account, given), 466);
});

test('delete-blacklist answers 474 to a number that is not on the list, also after it was removed', async () => {
  const account = await app.open();
  expectRefusal(await remove(account, number()), 474);
  expectSuccess(await add(account, number()));
  expectSuccess(await remove(account, number()));
  expectRefusal(await remove(account, number()), 474);
});

test('the list of one account is not that of another', async () => {
  const [one, other] = [await app.open({ senders: [sender] }), await app.open({ senders: [sender] })];
  expectSuccess(await add(one, number()));
  expect((await list(other)).count).toBe(0);
  expectRefusal(await remove(other, number()), 474);
  expectSuccess(await other.call('send-sms', { order: order({}, freshText()) }), 'order');
});

test('in abroad mode a valid foreign number may be listed', async () => {
  const account = await app.open({ settings: { abroad: 'on' } });
  expectSuccess(await add(account, '+44 7400 123456'));
  expect((await list(account)).number).toEqual(['+447400123456']);
  expectRefusal(await add(account, '+44 1'), 466);
});

test('get-blacklist pages by rowCount, oldest first, and count ends the loop', async () => {
  const account = await aged(5);
  expect(await list(account, { rowCount: '2' })).toEqual({ count: 5, number: [shown(0), shown(1)] });
  expect(await list(account, { page: '3', rowCount: 2 })).toEqual({ count: 5, number: [shown(4)] });
  expect(await list(account, { page: 4, rowCount: 2 })).toEqual({ count: 5, number: [] });
});

test('a rowCount above 1000 is taken as 1000', async () => {
  const account = await aged(1_001);
  for (const rowCount of [undefined, '1000', 5_000, 0, 'x']) {
    const found = await list(account, { rowCount });
    expect([found.count, found.number.length]).toEqual([1_001, 1_000]);
  }
  expect((await list(account, { page: 2 })).number).toEqual([shown(1_000)]);
});

test('filters count to the second in Turkey time, a bare date to its whole day', async () => {
  const account = await aged(90);
  const count = async (filter: unknown) => (await list(account, { filter, rowCount: 1 })).count;
  for (const none of [undefined, null, {}, { start: null, end: '' }, 'x', []]) expect(await count(none)).toBe(90);
  expect(await count({ start: '2026-03-31 23:10:00' })).toBe(80);
  expect(await count({ start: '2026-03-31 23:10:01' })).toBe(79);
  expect(await count({ end: '2026-03-31 23:10:00' })).toBe(11);
  expect(await count({ end: '2026-03-31 23:09:59' })).toBe(10);
  expect(await count({ start: '2026-03-31 23:10:00', end: '2026-03-31 23:12:00' })).toBe(3);
  expect(await count({ start: '2026-03-31', end: '2026-03-31' })).toBe(60);
  expect(await count({ start: '2026-04-01' })).toBe(30);
  expect(await count({ end: '2026-03-31' })).toBe(60);
  expect(await count({ start: '2026-04-02', end: '2026-04-01' })).toBe(0);
  expect(await list(account, { filter: { start: '2026-04-01' }, page: 2, rowCount: 20 })).toEqual({
    count: 30,
    number: numbers(10, 80).map(one => `+90${one}`),
  });
});

test('get-blacklist takes the whole object as absent when it is none', async () => {
  const account = await aged(1);
  for (const none of [undefined, null, '', [], 5]) expect((await list(account, none)).count).toBe(1);
});

test('get-blacklist answers 422 to a bad date and names its field', async () => {
  const account = await app.open();
  for (const start of ['yesterday', '2026-02-30', '31/03/2026', 20260331, [], '2026-03-31 24:00:00', true]) {
    const reply = await account.call('get-blacklist', { blacklist: { filter: { start } } });
    expect(expectRefusal(reply, 422)).toEqual({ start: 'start Y-m-d H:i:s biçimi ile eşleşmiyor.' });
  }
  const both = await account.call('get-blacklist', { blacklist: { filter: { start: 'x', end: 'y' } } });
  expect(Object.keys(expectRefusal(both, 422))).toEqual(['start', 'end']);
});

test('get-blacklist answers 464 to a page below 1', async () => {
  const account = await app.open();
  for (const page of [0, '0', -1, 'x', 1.5, [], {}])
    expectRefusal(await account.call('get-blacklist', { blacklist: { page } }), 464);
});

test('nothing of all this was a fault of the server', () => {
  expect(app.faults).toEqual([]);
});
