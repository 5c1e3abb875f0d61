// A number that was erased on request is gone from what has ended, stays where a refusal needs it, and is erased again in data that
// came back from before.
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { freshText, number, order, sender, shown } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { folderStore } from '../backup/folder-store.ts';
import { transaction } from '../db/db.ts';
import { createDraft, findDraft } from '../drafts/drafts.ts';
import { isListWhole, putPiece, readPiece, startList } from '../drafts/pieces.ts';
import { packColumns, storeColumns } from '../orders/order-columns.ts';
import { sealText, shownText, useContentKeys } from '../sealing/content.ts';
import { eraseForGood, replayErasures } from './erasures.ts';
import { personalTables } from './registry.ts';

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
  expect(await eraseForGood(parts, null, erased)).toEqual({ messages: 2, open: 1, inbound: 1, elsewhere: 0 });
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
  expect(await eraseForGood(parts, null, erased)).toEqual({ messages: 1, open: 0, inbound: 0, elsewhere: 0 });
});

/** Every row of every table that holds the number, in whatever way it may be written, as `table`. */
async function tablesWith(digits: string): Promise<string[]> {
  const { rows: tables } = await app.db.query(
    `select relname as name from pg_class where relkind = case current_schema() when 'public' then 'r' else 'v' end
       and relnamespace = current_schema()::regnamespace order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await app.db.query(`select to_jsonb(t) as row from ${name} t`);
    if (rows.some(one => JSON.stringify(opened(one.row)).replace(/\D/g, '').includes(digits))) found.push(name);
  }
  return found;
}

/** Bytes as the text that they stand for. */
function opened(row: Record<string, unknown>): object {
  return Object.entries(row).map(([name, value]) => {
    if (typeof value !== 'string' || !value.startsWith('\\x')) return value;
    const bytes = Buffer.from(value.slice(2), 'hex');
    return name === 'content' && bytes[0] === 0x1f ? String(gunzipSync(bytes)) : bytes.toString('latin1');
  });
}

const digits = '5550000007';
const nine = 905550000007;

/** A row of each kind that names the number, some as their peers write it. */
async function everywhere() {
  const account = await app.open({ senders: [sender] });
  const id = await account.send(order({}, freshText(), [number(7)]));
  await app.settle(account, id, 111);
  const columns = (await packColumns(['tel'], [[`0555 000 00 07`]]))!;
  await storeColumns(app.db, account.id, Number(id), columns);
  const { rows } = await app.db.query('select id from messages where order_id = $1', [id]);
  const message = rows[0].id;
  const statements = [
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
      values (${account.id}, ${nine}, '+${nine}', '5555', 'Adım Ali', now())`,
    `insert into inbound_unrouted (carrier_id, sender, recipient, text) values (1, '${nine}', '5555', 'a'), (1, '0${digits}', '5555', 'b'),
      (1, '49${digits}', '5555', 'another person')`,
    `insert into inbound_parts (carrier_id, sender, recipient, reference, total, sequence, text) values (1, '${nine}', '5555', 1, 2, 1, '"a"')`,
    `insert into receipts (carrier_id, smsc_id, status, reason, number) values (1, 'a', 111, 0, ${nine}), (1, 'b', 111, 0, ${digits})`,
    `insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single)
      values (${message}, ${account.id}, 0, ${nine}, 0, 1, now(), true)`,
    `insert into refused_items (what, item, error) values ('receipt', '{"number":"${nine}"}', 'x')`,
    `insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, answer_body, next_at, expires_at, created_at)
      values (${account.id}, 1, ${message}, 'final', 'delivered', 'delivered',
        '{"report":{"id":${message},"packet_id":${id},"status":"delivered","to":"0555 000 00 07","body":"Merhaba"}}', 'thanks, ${nine}', now(), now(), now()),
      (-${account.id}, 2, 5, 'inbound', 'inbound', 'given-up',
        '{"inbound":{"id":5,"number":"+${nine}","to":"5555","text":"Adım Ali","receivedAt":null}}', null, now(), now(), now())`,
    `with g as (insert into smpp_groups (user_id, sender, recipient, reference, total, have, state)
        values (1, 'PEYK', '${nine}', 1, 2, 2, 2) returning id)
      insert into smpp_parts (id, group_id, no, text, origin) select nextval('order_ids'), id, 1, '"Merhaba Ali"', '{"u":1,"r":0}' from g`,
    `insert into exports (account_id, kind, format, language, filter, state) values (${account.id}, 'orders', 'csv', 'tr', '{"number":"${nine}"}', 'ready')`,
  ];
  for (const statement of statements) await app.db.query(statement);
  const draft = (await createDraft(app.db, account.id, 1, draftHead))!;
  const cells = [
    ['ad', 'tel'],
    ['Ayşe', '0555 000 00 07'],
    ['Ali', `${nine}`],
    ['Can', shown(8)],
  ];
  await transaction(app.db, async tx => {
    const shape = { fileName: null, header: true, numberColumn: 1, names: ['ad', 'tel'] };
    const started = (await startList(tx, account.id, draft.id, shape, cells.length))!;
    await putPiece(tx, account.id, { id: draft.id, listNo: started.listNo, no: 0 }, cells);
  });
  return { account, draft };
}

const draftHead = {
  sender,
  text: 'Merhaba {ad}',
  fallbacks: {},
  sendAt: null,
  commercial: false,
  list: null,
  perHour: null,
  quiet: null,
};

test('after an erasure the number is in no table of the database but those that the registry says keep it', async () => {
  const { account, draft } = await everywhere();
  const before = await tablesWith(digits);
  expect(before).toEqual(
    expect.arrayContaining(
      'exports inbound_messages inbound_parts inbound_unrouted message_numbers messages order_columns receipts refused_items send_draft_pieces smpp_groups unsure webhook_deliveries'.split(
        ' ',
      ),
    ),
  );
  expect(before.filter(table => !personalTables.some(one => one.table === table))).toEqual([]);
  await app.db.query(`insert into blacklist_entries (account_id, number) values (${account.id}, ${nine})`);
  const erasedRows = await eraseForGood(parts, null, nine);
  expect(erasedRows).toEqual({ messages: 1, open: 0, inbound: 1, elsewhere: 13 });
  // One is another person's, whose number ends alike.
  expect(await tablesWith(digits)).toEqual(['blacklist_entries', 'inbound_unrouted']);
  expect((await app.db.query('select sender from inbound_unrouted')).rows).toEqual([{ sender: `49${digits}` }]);
  const bodies = (await app.db.query('select body, answer_body from webhook_deliveries order by outbox_id')).rows;
  expect(bodies.map(one => JSON.parse(one.body))).toMatchObject([
    { report: { status: 'delivered', to: '***', body: '' } },
    { inbound: { id: 5, number: '***', text: '' } },
  ]);
  expect(bodies.map(one => one.answer_body)).toEqual(['', null]);
  expect((await app.db.query('select text from smpp_parts')).rows).toEqual([{ text: '""' }]);
  expect(await readPiece(app.db, account.id, draft.id, 0)).toEqual([
    ['ad', 'tel'],
    ['Can', shown(8)],
  ]);
  expect(await isListWhole(app.db, (await findDraft(app.db, account.id, draft.id))!)).toBe(true);
  expect(await eraseForGood(parts, null, nine)).toEqual({ messages: 0, open: 0, inbound: 0, elsewhere: 0 });
});

test('what is sealed is opened to be looked at, and sealed again', async () => {
  useContentKeys(parts.key, 'sealed');
  try {
    await everywhere();
    await app.db.query('update webhook_deliveries set body = $1 where outbox_id = 2', [
      sealText(`{"inbound":{"id":5,"number":"+${nine}","to":"5555","text":"Adım Ali","receivedAt":null}}`),
    ]);
    await eraseForGood(parts, null, nine);
    const { rows } = await app.db.query('select body from webhook_deliveries where outbox_id = 2 and account_id < 0');
    const texts = rows.map(one => shownText(one.body));
    expect(texts.filter(one => one.includes(digits))).toEqual([]);
    expect(texts.some((one, at) => one !== rows[at].body)).toBe(true);
    const { rows: drafts } = await app.db.query('select account_id, id from send_drafts');
    for (const { account_id: accountId, id } of drafts)
      expect(JSON.stringify(await readPiece(app.db, accountId, id, 0))).not.toContain(`${nine}`);
  } finally {
    useContentKeys(parts.key, 'plain');
  }
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
