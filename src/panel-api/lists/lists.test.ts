import { afterAll, expect, test } from 'vitest';
import { numberFaultWords } from '../../text/number-fault-words.ts';
import { toTurkeyTime } from '../../time/clock.ts';
import { exportKinds } from '../contract/facts.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const ago = (ms: number) => toTurkeyTime(new Date(Date.now() - ms));
const hourMs = 3_600_000;

async function withBrand(quota: number | null = null) {
  const owner = await panel.owner();
  await pool.query('insert into brands (account_id, code, quota) values ($1, 600100, $2)', [owner.accountId, quota]);
  return owner;
}

const row = (change: object = {}) => ({
  recipient: '5550000001',
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'ONAY',
  source: 'HS_WEB',
  consentDate: ago(hourMs),
  ...change,
});

test('an import is checked row by row, and nothing is stored while one blocks', async () => {
  const owner = await withBrand();
  const rows = [
    row(),
    row({ recipient: 'abc' }),
    row({ type: 'SMS' }),
    row({ consentDate: ago(73 * hourMs), recipient: '5550000002' }),
    row({ consentDate: ago(-hourMs), recipient: '5550000003' }),
    row({ consentDate: '12.11.2026', recipient: '5550000004' }),
    row({ source: 'HS_KARAR', recipient: '5550000005' }),
    row({ status: 'RET', recipient: '5550000006' }),
    row(),
    row({ type: 'EPOSTA', recipient: 'Kisi@Ornek.com' }),
  ];
  const check = await owner.ok('consent.check', { brand: 600100, rows });
  expect(check).toMatchObject({ given: 10, valid: 4, quotaLeft: null });
  expect(check.counts).toEqual({
    recipient: 1,
    type: 1,
    'date-old': 1,
    'date-future': 1,
    'date-form': 1,
    'ruling-first': 1,
    'first-refusal': 1,
    duplicate: 1,
  });
  expect((await owner.refusal('consent.add', { brand: 600100, rows })).code).toBe('invalid-rows');
  expect((await owner.ok('consent.list', {})).rows).toEqual([]);
  const good = [0, 7, 8, 9].map(i => rows[i]!);
  expect(await owner.ok('consent.add', { brand: 600100, rows: good })).toEqual({ stored: 4 });
  const list = await owner.ok('consent.list', { status: 'RET' });
  expect(list.rows).toMatchObject([{ recipient: '+905550000006', syncState: 'queued', origin: 'panel' }]);
  const answer = await owner.ok('consent.query', {
    brand: 600100,
    recipient: '0555 000 00 01',
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
  });
  expect(answer).toMatchObject({ recipient: '+905550000001', current: { status: 'ONAY' } });
  expect(answer.history).toHaveLength(2);
});

test('without a brand code, over the quota, and over 5,000 rows the interface’s own refusals answer', async () => {
  const rows = [row()];
  expect((await (await panel.owner()).refusal('consent.add', { brand: 1, rows })).code).toBe('403');
  const owner = await withBrand(1);
  await owner.ok('consent.add', { brand: 600100, rows });
  expect((await owner.refusal('consent.add', { brand: 600100, rows })).code).toBe('405');
  const many = Array.from({ length: 5_001 }, () => row());
  expect((await owner.refusal('consent.check', { brand: 600100, rows: many })).code).toBe('475');
  const overview = await owner.ok('consent.overview', {});
  expect(overview.brands).toMatchObject([{ code: 600100, quota: 1, usedThisMonth: 1 }]);
  expect(overview.counts.queued).toBe(1);
});

test('refusals of the registry are grouped by code with their sentence', async () => {
  const owner = await withBrand();
  await owner.ok('consent.add', { brand: 600100, rows: [row(), row({ recipient: '5550000002' })] });
  await pool.query(
    `update consent_records set sync_state = 'refused', refusal_code = 'H178', synced_at = now() where account_id = $1`,
    [owner.accountId],
  );
  const { groups } = await owner.ok('consent.refusals', {});
  expect(groups).toMatchObject([{ code: 'H178', count: 2 }]);
  expect(groups[0]?.sentence.tr).toContain('İYS');
  const { attention } = await owner.ok('overview.read', { period: '7d' });
  expect(attention).toMatchObject([{ kind: 'consent-refusals', count: 2 }]);
});

test('the blacklist counts what was new, known and wrong, and removing asks why', async () => {
  const owner = await panel.owner();
  const report = await owner.ok('blacklist.add', {
    numbers: ['5550000001', '0555 000 00 01', 'abc', '5550000002'],
    note: 'liste',
  });
  expect(report).toMatchObject({
    added: 2,
    existing: 0,
    invalidCount: 1,
    repeated: 1,
    invalid: [{ row: 2, number: 'abc', fault: 'not-digits' }],
  });
  expect(await owner.ok('blacklist.add', { numbers: ['5550000001'], isImport: true })).toMatchObject({
    added: 0,
    existing: 1,
  });
  expect((await owner.ok('blacklist.list', { source: 'import' })).rows).toEqual([]);
  expect((await owner.ok('blacklist.list', { search: '0002' })).rows).toMatchObject([
    { number: '+905550000002', note: 'liste' },
  ]);
  expect((await owner.refusal('blacklist.remove', { numbers: ['5550000001'], reason: ' ' })).field).toBe('reason');
  await owner.ok('blacklist.remove', { numbers: ['5550000001'], reason: 'Alıcı istedi' });
  expect((await owner.refusal('blacklist.remove', { numbers: ['5550000001'], reason: 'x' })).code).toBe('not-found');
  const { rows } = await owner.ok('audit.list', { action: 'blacklist.remove' });
  expect(rows[0]?.detail).toMatchObject({ reason: 'Alıcı istedi', number: '+905550000001' });
});

test('a list longer than a page is read to its end by its cursors, each row once', async () => {
  const owner = await panel.owner();
  const numbers = Array.from({ length: 120 }, (_, i) => String(5_550_000_000 + i));
  await owner.ok('blacklist.add', { numbers });
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await owner.ok('blacklist.list', cursor ? { cursor } : {});
    for (const one of page.rows) seen.add(one.number);
    cursor = page.next ?? undefined;
  } while (cursor);
  expect(seen.size).toBe(120);
});

test('exports hold every row of the filtered list and neutralise formulas', async () => {
  const owner = await panel.owner();
  const texts = ['=HYPERLINK("http://x")', '+1+1', '-2', '@SUM(A1)', 'noktalı; virgül "ve" satır\nsonu', '\tsekme'];
  for (const [i, text] of texts.entries())
    await pool.query(
      `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
       values ($1, $2, $3, '7889', $4, now())`,
      [owner.accountId, 905550000000 + i, `+${905550000000 + i}`, text],
    );
  const csv = await owner.get('/panel/api/export/inbox?format=csv');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="peyk-gelen-kutusu-/);
  expect(csv.body.startsWith('\uFEFFZaman;Numara;Alan;Metin;Etki\r\n')).toBe(true);
  for (const text of [`"'=HYPERLINK(""http://x"")"`, ";'+1+1;", ';-2;', ";'@SUM(A1);", ";'\tsekme;"])
    expect(csv.body).toContain(text);
  expect(csv.body).toContain(';0555 000 00 00;');
  expect(csv.body).toContain('"noktalı; virgül ""ve"" satır\nsonu"');
  for (const line of csv.body.slice(1).split('\r\n').slice(1))
    for (const cell of line.split(';')) expect(cell).not.toMatch(/^"?[=+\-@\t](?!\d+$)/);
  const filtered = await owner.get('/panel/api/export/inbox?text=sekme&language=en');
  expect(filtered.body.trim().split('\r\n')).toHaveLength(2);
  expect(filtered.body).toContain('Time;Number');
  const xlsx = await owner.get('/panel/api/export/inbox?format=xlsx');
  expect(xlsx.rawPayload.subarray(0, 2).toString()).toBe('PK');
});

test('the inbox is filtered by keyword, in any spelling', async () => {
  const owner = await panel.owner();
  await pool.query(
    `insert into inbound_messages (account_id, number_text, recipient, text, received_at, keyword)
     select $1, '+905550000000', '7889', k || ' metin', now(), k from unnest(array['SISLI', 'RET', '']) k`,
    [owner.accountId],
  );
  const found = async (keyword: string) => (await owner.ok('inbox.list', { keyword })).rows.map(one => one.keyword);
  expect(await found('şişli')).toEqual(['SISLI']);
  expect(await found('RET')).toEqual(['RET']);
  expect(await found('')).toHaveLength(3);
});

test('conversations are one line a number, by its newest message', async () => {
  const owner = await panel.owner();
  await pool.query(
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
     select $1, 905550000000 + n, '+90555000000' || n, '7889', n || ' ' || k, now() from generate_series(1, 3) k, generate_series(1, 2) n
     order by k, n`,
    [owner.accountId],
  );
  const { rows } = await owner.ok('inbox.conversations', {});
  expect(rows.map(one => [one.number, one.text, one.count])).toEqual([
    ['+905550000002', '2 3', 3],
    ['+905550000001', '1 3', 3],
  ]);
});

test('an export of recipients carries numbers as text, states and reasons in words', async () => {
  const owner = await panel.owner();
  const draft = {
    sender: 'APITEST',
    text: 'Merhaba',
    recipients: ['5550000001', 'abc'],
    sendAt: null,
    commercial: false,
  };
  const { orderId } = await owner.ok('send.submit', { ...draft, idempotencyKey: 'anahtar-1' });
  const { body } = await owner.get(`/panel/api/export/recipients?id=${orderId}`);
  expect(body).toContain('0555 000 00 01;Türk Telekom;Kuyrukta;');
  expect(body).toContain(`abc;;Elendi;${numberFaultWords['not-digits'].tr}.;`);
  for (const kind of ['orders', 'ledger', 'refusals', 'consents', 'blacklist', 'audit'])
    for (const format of ['csv', 'xlsx'])
      expect((await owner.get(`/panel/api/export/${kind}?format=${format}`)).statusCode, kind).toBe(200);
});

test('an export speaks the language asked for: titles, states, sources and dates, and no codes of the interface', async () => {
  const owner = await panel.owner();
  const draft = { sender: 'APITEST', text: 'Merhaba', recipients: ['5550000001'], commercial: false };
  await owner.ok('send.submit', { ...draft, sendAt: '2099-01-01 10:00', idempotencyKey: 'dil-anahtari' });
  await owner.ok('blacklist.add', { numbers: ['5550000002'] });
  const files = async (language: string) => {
    const bodies = ['orders', 'ledger', 'blacklist'].map(
      async kind => (await owner.get(`/panel/api/export/${kind}?language=${language}`)).body,
    );
    return (await Promise.all(bodies)).join('\n');
  };
  const [turkish, english] = [await files('tr'), await files('en')];
  for (const words of ['Sipariş;Durum;', ';Planlandı;', '01.01.2099 10:00', 'Panel']) expect(turkish).toContain(words);
  for (const words of ['Order;State;', ';Scheduled;', '01/01/2099 10:00', 'Panel']) expect(english).toContain(words);
  // The reason of a grant is a stored text.
  expect(english.replace('Hoş geldin kredisi', '')).not.toMatch(/[çğışöüÇĞİŞÖÜ]/);
  // Neither the names that the interface and the database have for a state, nor their form of a time.
  expect(turkish + english).not.toMatch(/scheduled;|;panel;|\d{4}-\d\d-\d\dT/);
});

test('a landline has one reason while the list is checked, in the order, and in its file', async () => {
  const owner = await panel.owner();
  const landline = '0212 000 00 00';
  const draft = { sender: 'APITEST', text: 'Merhaba', recipients: ['5550000001', landline], commercial: false };
  const preview = await owner.ok('send.prepare', { ...draft, sendAt: null });
  expect(preview.rows.invalid).toEqual([{ row: 1, number: landline, fault: 'landline' }]);
  const { orderId } = await owner.ok('send.submit', { ...draft, sendAt: null, idempotencyKey: 'sabit-hat' });
  const { tr, en } = numberFaultWords.landline;
  const { rows } = await owner.ok('orders.recipients', { id: orderId, state: 'filtered' });
  expect(rows).toMatchObject([{ number: landline, reason: { tr: `${tr}.`, en: `${en}.` } }]);
  const { messageId } = rows[0]!;
  expect((await owner.ok('orders.message', { orderId, messageId })).reason).toMatchObject({ tr: `${tr}.` });
  expect((await owner.get(`/panel/api/export/recipients?id=${orderId}`)).body).toContain(
    `${landline};;Elendi;"${tr}.";`,
  );
});

test('a download asked for by another site is refused', async () => {
  const owner = await panel.owner();
  const answer = await owner.get('/panel/api/export/inbox', { 'sec-fetch-site': 'cross-site' });
  expect(answer.statusCode).toBe(403);
});

test('words that every object knows are texts like any other, in filters, searches and downloads', async () => {
  const owner = await panel.owner();
  for (const word of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf']) {
    for (const kind of Object.keys(exportKinds).filter(one => one !== 'recipients')) {
      const query = `search=${word}&text=${word}&actor=${word}&${word}=${word}`;
      expect((await owner.get(`/panel/api/export/${kind}?${query}`)).statusCode, `${kind} ${word}`).toBe(200);
    }
    expect((await owner.get(`/panel/api/export/${word}`)).statusCode).toBe(404);
    expect((await owner.refusal(word as 'orders.list', {})).code).toBe('no-such-operation');
    await owner.ok('orders.list', { search: word });
    await owner.ok('audit.list', { action: word });
  }
});
