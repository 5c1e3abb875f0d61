// What the program exports its own importers read: every list of numbers, in both formats and both languages, from one
// account into another.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, startPanel } from '../../../src/panel-api/panel-fixture.ts';
import { readTable, type Table } from '../../../src/tables/read-table.ts';
import { toTurkeyTime } from '../../../src/time/clock.ts';
import type {} from '../../../test/support/run/global-setup.ts';
import { columnsOf, consentRows, guessMap } from '../pages/consents/map-rows.ts';
import { loadLanguage, withTexts } from '../text/language.ts';
import { toCsv } from '../ui/download.ts';
import { RecipientBook } from './book.ts';
import { ImportTable } from './import-table.ts';

const panel = await startPanel();
afterAll(() => panel.stop());
beforeAll(() => withTexts(['frame', 'messages', 'recipients'], () => loadLanguage('tr')));

type Owner = Awaited<ReturnType<typeof panel.owner>>;
const forms = [
  ['csv', 'tr'],
  ['csv', 'en'],
  ['xlsx', 'tr'],
  ['xlsx', 'en'],
] as const;

function readBytes(content: Uint8Array<ArrayBuffer>, dates: 'shown' | 'iso' = 'shown'): Promise<Table> {
  const { signal } = new AbortController();
  return readTable(new Blob([content]), { sheet: 0, dates, onShare: () => {}, signal });
}

async function exported(owner: Owner, path: string): Promise<{ table: Table; name: string }> {
  const answer = await owner.get(`/panel/api/export/${path}`);
  expect(answer.statusCode).toBe(200);
  const name = /filename="([^"]+)"/.exec(String(answer.headers['content-disposition']))![1]!;
  return { table: await readBytes(Uint8Array.from(answer.rawPayload)), name };
}

/** As the blacklist's dialog does it. */
async function importNumbers(owner: Owner, table: Table) {
  const imported = new ImportTable();
  const view = imported.load(table);
  const { rows } = imported.rows(0, view.count, [view.numberColumn]);
  return await owner.ok('blacklist.add', { numbers: rows.map(row => row[0]!), isImport: true });
}

async function blacklisted(owner: Owner): Promise<string[]> {
  return (await owner.ok('blacklist.list', {})).rows.map(one => one.number).sort();
}

/** The list as the page stores it, and what the server says of it. */
async function kept(owner: Browser, book: RecipientBook, text: string) {
  const { rows, shape } = book.local('liste.csv');
  const { id } = await owner.ok('drafts.create', {
    head: { sender: 'APITEST', text, sendAt: null, commercial: false },
  });
  const { listNo } = await owner.ok('drafts.startList', { id, shape, rows: rows.length });
  await owner.ok('drafts.putRows', { id, listNo, no: 0, rows });
  return { id, preview: await owner.ok('drafts.prepare', { id }) };
}

test.each(forms)('a blacklist exported as %s in %s is imported whole, numbers abroad too', async (format, language) => {
  const [from, to] = [await panel.owner(), await panel.owner()];
  for (const owner of [from, to]) await owner.ok('settings.setSending', { abroad: true });
  const numbers = ['5550000001', '+4915123456789', '0555 000 00 02'];
  await from.ok('blacklist.add', { numbers, note: '=1+1; "not"' });
  const { table, name } = await exported(from, `blacklist?format=${format}&language=${language}`);
  expect(name).toMatch(language === 'tr' ? /^peyk-kara-liste-20/ : /^peyk-blacklist-20/);
  expect(table.rows.slice(1).map(row => row[3])).toEqual(numbers.map(() => '=1+1; "not"'));
  expect(await importNumbers(to, table)).toMatchObject({ added: 3, invalidCount: 0 });
  expect(await blacklisted(to)).toEqual(await blacklisted(from));
});

test.each(forms)(
  'the recipients of an order exported as %s in %s carry its number, their texts and the own columns, and are sent to again',
  async (format, language) => {
    const owner = await panel.owner();
    const book = new RecipientBook();
    // The second row repeats the first number; the third is none.
    book.loadText('Ad;Numara;Şehir\n=Ayşe;5550000001;İzmir\nAli;0555 000 00 01;Van\nVeli;12;Rize\nCan;5550000002;-5');
    const text = 'Merhaba {ad}';
    const draft = await kept(owner, book, text);
    const { orderIds } = await owner.ok('drafts.submit', { id: draft.id, version: draft.preview.version });
    const orderId = orderIds[0]!;
    const { table, name } = await exported(owner, `recipients?id=${orderId}&format=${format}&language=${language}`);
    expect(name).toContain(language === 'tr' ? `-alicilar-siparis-${orderId}-` : `-recipients-order-${orderId}-`);
    expect(table.rows[0]!.slice(7)).toEqual([language === 'tr' ? 'Metin' : 'Text', 'ad', 'şehir']);
    const byNumber = Object.fromEntries(
      table.rows.slice(1).map(row => [row[0]!.replace(/^\+90|^0|\s/g, ''), row.slice(7)]),
    );
    expect(byNumber).toEqual({
      '5550000001': ['Merhaba =Ayse', '=Ayşe', 'İzmir'],
      '5550000002': ['Merhaba Can', 'Can', '-5'],
      '12': ['Merhaba Veli', 'Veli', 'Rize'],
    });
    const again = new RecipientBook();
    expect(again.loadTable(table)).toMatchObject({ count: 3, numberColumn: 0, problem: null });
    const { preview } = await kept(owner, again, 'Yine {ad}');
    expect(preview).toMatchObject({ sendable: 2, invalid: 1, duplicate: 0, unknownFields: [] });
  },
);

test.each(forms)('consents exported as %s in %s are imported whole', async (format, language) => {
  const brand = 600_100;
  const [from, to] = [await panel.owner(), await panel.owner()];
  for (const owner of [from, to])
    await panel.database.pool.query('insert into brands (account_id, code) values ($1, $2)', [owner.accountId, brand]);
  const consentDate = toTurkeyTime(new Date(Date.now() - 3_600_000));
  const common = { recipientType: 'TACIR', status: 'ONAY', source: 'HS_MOBIL', consentDate };
  const rows = [
    { ...common, recipient: '5550000001', type: 'MESAJ' },
    { ...common, recipient: 'kisi@ornek.com', type: 'EPOSTA' },
  ];
  await from.ok('consent.add', { brand, rows });
  const { table } = await exported(from, `consents?format=${format}&language=${language}`);
  const imported = new ImportTable();
  const view = imported.load(table);
  const map = guessMap(view.titles);
  const columns = columnsOf(map);
  const given = consentRows(imported.rows(0, view.count, columns).rows, columns, map);
  expect(await to.ok('consent.check', { brand, rows: given })).toMatchObject({ given: 2, valid: 2, issues: [] });
  await to.ok('consent.add', { brand, rows: given });
  const seen = async (owner: Owner) =>
    (await owner.ok('consent.list', {})).rows.map(
      ({ recipient, recipientType, type, status, source, consentDate: at }) =>
        [recipient, recipientType, type, status, source, at].join(' '),
    );
  expect((await seen(to)).sort()).toEqual((await seen(from)).sort());
});

test('a list that the page itself made, and one of an older version, are imported', async () => {
  const owner = await panel.owner();
  const made = toCsv([
    ['Satır', 'Numara'],
    [2, '+905550000001'],
    [3, '0212 000 00 00'],
  ]);
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
  expect(await importNumbers(owner, await readBytes(bytes(made)))).toMatchObject({
    added: 1,
    invalid: [{ row: 1, fault: 'landline' }],
  });
  const old = "\ufeffNumara;Kaynak\r\n'+905550000002;Panel\r\n'+905550000003;Panel\r\n";
  expect(await importNumbers(owner, await readBytes(bytes(old)))).toMatchObject({ added: 2, invalidCount: 0 });
});
