// A number that was erased on request is gone from what has ended, stays where a refusal needs it, and is erased again in data that
// came back from before.
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { freshText, number, order, sender, shown } from '../../test/support/samples.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { folderStore } from '../backup/folder-store.ts';
import { packColumns, storeColumns } from '../orders/order-columns.ts';
import { eraseForGood, replayErasures } from './erasures.ts';

const app = await testApp();
afterAll(() => app.close());
const erased = 905550000003;
const parts = { db: app.db, key: randomBytes(32), actor: 'test' };

const textsOf = async (id: string) =>
  (
    await app.db.query(
      'select text from orders where id = $1 union all select text from more_texts where order_id = $1',
      [id],
    )
  ).rows.map(row => row.text);

async function traffic() {
  const account = await app.open({ senders: [sender] });
  const [alone, shared, open] = [
    await account.send(order({}, freshText(), [number(3)])),
    await account.send(order({}, freshText(), [number(3), number(4)])),
    await account.send(order({}, freshText(), [number(3)])),
  ];
  const columns = (await packColumns(['ad'], [['Ayşe'], ['Ali']]))!;
  await storeColumns(app.db, account.id, Number(shared), columns);
  for (const id of [alone, shared]) await app.settle(account, id, 111);
  await app.db.query(`insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
    values (${account.id}, ${erased}, '+${erased}', '5555', 'Adım Ali', now())`);
  await app.db.query(`insert into blacklist_entries (account_id, number) values (${account.id}, ${erased})`);
  const numbersOf = async (id: string) => {
    const { response } = await account.call('get-report', { order: { id, page: 1, rowCount: 10 } });
    return response.order!.message.map(one => one.number);
  };
  return { account, alone, shared, open, numbersOf };
}

test('an erased number is gone from ended messages and inbound ones with the texts only they had; refusals and sums stay', async () => {
  const { account, alone, shared, open, numbersOf } = await traffic();
  expect(await eraseForGood(parts, null, erased)).toEqual({ messages: 2, open: 1, inbound: 1 });
  expect([await numbersOf(alone), await numbersOf(shared)]).toEqual([['***'], ['***', shown(4)]]);
  expect(await numbersOf(open)).toEqual([shown(3)]);
  expect(await textsOf(alone)).toEqual(['']);
  expect((await textsOf(shared))[0]).toMatch(/Merhaba/);
  const left = async (sql: string) => (await app.db.query(sql, [account.id])).rows.length;
  expect(await left(`select 1 from message_numbers where account_id = $1 and number = ${erased}`)).toBe(0);
  expect(await left('select 1 from order_columns where account_id = $1')).toBe(0);
  expect(
    await left(`select 1 from inbound_messages where account_id = $1 and (number = ${erased} or text <> '')`),
  ).toBe(0);
  expect(await left(`select 1 from blacklist_entries where account_id = $1 and number = ${erased}`)).toBe(1);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  // What is proved is no list of numbers.
  const { rows } = await app.db.query(
    `select detail::text as detail from audit_entries where action = 'privacy.erase'`,
  );
  expect(rows[0].detail).not.toContain(String(erased));
  await app.settle(account, open, 112);
  expect(await eraseForGood(parts, null, erased)).toEqual({ messages: 1, open: 0, inbound: 0 });
});

test('an erasure stands in the target before it is done, and is done again, once, by data that do not know of it', async () => {
  const store = folderStore(temporaryFolder());
  const refusing = { ...store, put: () => Promise.reject(new Error('no room')) };
  const { alone, numbersOf } = await traffic();
  await expect(eraseForGood(parts, refusing, erased)).rejects.toThrow('no room');
  expect(await numbersOf(alone)).toEqual([shown(3)]);
  await eraseForGood(parts, store, erased);
  const [kept] = await store.list('erasures/');
  expect(String(await store.get(kept!.key))).not.toContain(String(erased));
  expect(await replayErasures(parts, store)).toBe(0);
  // As data from before have it: neither erased nor noted.
  await app.db.query(`delete from audit_entries where action = 'privacy.erase'`);
  const before = await traffic();
  expect(await replayErasures(parts, store)).toBe(1);
  expect(await before.numbersOf(before.alone)).toEqual(['***']);
  expect(await replayErasures(parts, store)).toBe(0);
});
