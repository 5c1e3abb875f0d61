// get-inbox.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { shown } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());

const inbox = async (from: TestAccount, members?: unknown) =>
  expectSuccess(await from.call('get-inbox', { inbox: members }), 'inbox').inbox!;

/** Adds `count` messages, one a minute from 2026-03-31 23:00:00 Turkish time. */
async function receiver(count: number): Promise<TestAccount> {
  const account = await app.open();
  await app.db.query(
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
     select $1, 905550000000 + i, '+' || (905550000000 + i), '7889', 'ABC ' || i,
       timestamptz '2026-03-31 20:00:00.5+00' + i * interval '1 minute'
     from generate_series(0, $2 - 1) i`,
    [account.id, count],
  );
  return account;
}

test('get-inbox shows number, addressee, text and time in Turkey, newest first, ids as numbers', async () => {
  const account = await receiver(2);
  expect(await inbox(account)).toEqual({
    count: 2,
    message: [
      { id: expect.any(Number), number: shown(1), to: '7889', text: 'ABC 1', receivedAt: '2026-03-31 23:01:00' },
      { id: expect.any(Number), number: shown(0), to: '7889', text: 'ABC 0', receivedAt: '2026-03-31 23:00:00' },
    ],
  });
});

test('get-inbox pages by rowCount and counts what the filter matches', async () => {
  const account = await receiver(90);
  expect((await inbox(account, { rowCount: '7', page: 13 })).message).toHaveLength(6);
  expect(await inbox(account, { page: 14, rowCount: 7 })).toEqual({ count: 90, message: [] });
  const day = { start: '2026-03-31', end: '2026-03-31' };
  const found = await inbox(account, { filter: day, rowCount: 1 });
  expect([found.count, found.message[0]!.text]).toEqual([60, 'ABC 59']);
  expect((await inbox(account, { filter: { start: '2026-03-31 23:10:00', end: '2026-03-31 23:10:00' } })).count).toBe(
    1,
  );
});

test('an account reads only its own inbox, empty at first', async () => {
  await receiver(1);
  expect(await inbox(await app.open())).toEqual({ count: 0, message: [] });
});

test('get-inbox answers 422 to a bad date and names its field', async () => {
  const account = await app.open();
  const reply = await account.call('get-inbox', { inbox: { filter: { end: '31.03.2026' } } });
  expect(expectRefusal(reply, 422)).toEqual({ end: 'end Y-m-d H:i:s biçimi ile eşleşmiyor.' });
});

test('get-inbox answers 464 to a page below 1', async () => {
  const account = await app.open();
  for (const page of [0, '0', -1, 'x']) expectRefusal(await account.call('get-inbox', { inbox: { page } }), 464);
});
