// Files as other services export them, brought in by the command itself: what is taken, what is refused and why, and that a
// second run changes nothing.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { workbookFile } from '../../test/support/customers/workbook-file.ts';
import { testDatabase } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand } from '../consent/brands.ts';
import { blacklistKind } from '../imports/blacklist.ts';
import { readMoment } from '../imports/consents.ts';
import { importFile } from '../imports/import-file.ts';
import { decideSender } from '../senders/senders.ts';
import { execute } from './execute.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const folder = temporaryFolder();
const command = (words: string) => words.split(' ');
let id: number;
beforeAll(async () => {
  id = (await openAccount(db, 'Deneme')).id;
  await addBrand(db, id, 701701, null);
});

type Result = { rows: number; added: number; known: number; refused: number; report: string | null; columns: object };

function place(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function bring(what: string[], path: string, ...more: string[]): Promise<Result> {
  const words = [...what, path, '--account', String(id), '--report', `${path}.refused.csv`, ...more];
  return JSON.parse(
    await execute([...words, '--json', '--database-url', database.url, '--peyk-data', folder]),
  ) as Result;
}

const count = async (table: string) =>
  Number((await db.query(`select count(*) from ${table} where account_id = $1`, [id])).rows[0].count);
const reportOf = (path: string) => readFileSync(`${path}.refused.csv`, 'utf8');

test('a blacklist in Turkish Excel’s CSV is taken, its bad rows are named, and a second run changes nothing', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `Şube;0${5_300_000_000 + i};15.11.2026`);
  // windows-1254, a title above the headings, numbers as people write them, and what is none.
  const bad = ['x;0212 555 00 00;', 'x;5,55E+09;', 'x;;15.11.2026', '"x;y";12345;'];
  const lines = ['Kara Liste', 'Grup Adı;Cep Telefonu;Tarih', 'x;+90 (530) 000 00 00;', ...bad, ...rows, ''];
  const path = place(
    'kara liste.csv',
    Buffer.from(lines.join('\r\n').replaceAll('Ş', '\xde').replaceAll('ı', '\xfd'), 'latin1'),
  );
  const dry = await bring(command('import blacklist'), path, '--dry-run');
  expect(await count('blacklist_entries')).toBe(0);
  expect(existsSync(`${path}.refused.csv`)).toBe(true);
  const first = await bring(command('import blacklist'), path);
  expect(first).toMatchObject({
    rows: 20_005,
    added: 20_000,
    known: 1,
    refused: 4,
    columns: { number: 'Cep Telefonu' },
  });
  expect(dry).toMatchObject({ rows: 20_005, refused: 4 });
  expect(await count('blacklist_entries')).toBe(20_000);
  const report = reportOf(path).split('\r\n');
  expect(report[0]).toBe('\ufeff"satır / line";"neden / reason";"Grup Adı";"Cep Telefonu";"Tarih"');
  expect(report[1]).toMatch(/^"4";"sabit hat [^;]*";"x";"0212 555 00 00"$/);
  expect(report[2]).toMatch(/^"5";"Excel/);
  expect(report[4]).toContain('"x;y"');
  expect(await bring(command('import blacklist'), path)).toMatchObject({ added: 0, known: 20_001, refused: 4 });
  const { rows: entries } = await db.query(`select action, detail from audit_entries where account_id = $1`, [id]);
  expect(entries.filter(one => one.action === 'list.import')).toEqual([
    { action: 'list.import', detail: { what: 'blacklist', file: 'kara liste.csv' } },
  ]);
});

test('numbers without headings, as a text file of them or a sheet, are found by what they are', async () => {
  const text = place('liste.txt', '5310000001\n5310000002\n\n5310000002\n');
  expect(await bring(command('import blacklist'), text)).toMatchObject({
    rows: 3,
    added: 2,
    known: 1,
    columns: { number: '1.' },
  });
  const sheet = await writeExcelFile([[{ value: 'a' }, { value: 5310000003, type: Number }]]).toBuffer();
  expect(await bring(command('import blacklist'), place('liste.xlsx', sheet))).toMatchObject({
    rows: 1,
    added: 1,
    columns: { number: '2.' },
  });
});

test('a workbook of fifty thousand rows is taken whole, in either shape that writers give it, and once', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => [`Şube ${i % 9}`, String(5_330_000_000 + i)]);
  const before = await count('blacklist_entries');
  const shared = place('buyuk.xlsx', workbookFile([['Grup', 'Telefon'], ...rows]));
  expect(await bring(command('import blacklist'), shared)).toMatchObject({ rows: 50_000, added: 50_000, refused: 0 });
  const inline = place('yine.xlsx', workbookFile([['Grup', 'Telefon'], ...rows], { texts: 'inline' }));
  expect(await bring(command('import blacklist'), inline)).toMatchObject({ rows: 50_000, added: 0, known: 50_000 });
  expect((await count('blacklist_entries')) - before).toBe(50_000);
});

test('consents are stored as the registry’s, are not sent to it again, and it is asked about every one; a second run changes nothing', async () => {
  const head = ['Alıcı', 'Alıcı Tipi', 'İzin Türü', 'İzin Durumu', 'İzin Kaynağı', 'İzin Tarihi', 'Marka Kodu'];
  const rows = [
    ['+905320000001', 'Bireysel', 'SMS', 'Onay', 'HS_WEB', '01.02.2024 10:00', '701701'],
    ['5320000002', 'TACİR', 'Mesaj', 'RET', '', '2024-03-04 05:06:07', ''],
    ['biri@example.com', '', 'E-posta', 'Onaylı', 'HS_EPOSTA', '2024-03-04T05:06:07+03:00', ''],
    ['5320000003', '', '', 'belki', '', '01.02.2024', ''],
    ['5320000004', '', '', 'Onay', '', '31.02.2024', ''],
    ['5320000005', '', '', 'Onay', '', '01.01.2099', ''],
    ['5320000006', '', '', 'Onay', '', '01.01.2024', '999'],
    ['123', '', '', 'Onay', '', '01.01.2024', ''],
    ['5320000007', '', '', 'Onay', 'SOKAK', '01.01.2024', ''],
  ];
  const sheet = await writeExcelFile([head, ...rows].map(row => row.map(value => ({ value })))).toBuffer();
  const path = place('izinler.xlsx', sheet);
  expect(await bring(command('import consents'), path)).toMatchObject({ rows: 9, added: 3, known: 0, refused: 6 });
  for (const word of ['belki', '31.02', 'ileride', '999', '123', 'SOKAK']) expect(reportOf(path)).toContain(word);
  const stored = await db.query(
    `select recipient, recipient_type, type, status, source, consent_date, origin, sync_state from consent_records
     where account_id = $1 order by id`,
    [id],
  );
  const registered = { origin: 'registry', sync_state: 'accepted' };
  expect(stored.rows).toMatchObject([
    {
      recipient: '+905320000001',
      recipient_type: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
      source: 'HS_WEB',
      ...registered,
      consent_date: new Date('2024-02-01T07:00:00Z'),
    },
    {
      recipient: '+905320000002',
      recipient_type: 'TACIR',
      type: 'MESAJ',
      status: 'RET',
      source: 'IYS',
      ...registered,
      consent_date: new Date('2024-03-04T02:06:07Z'),
    },
    { recipient: 'biri@example.com', type: 'EPOSTA', status: 'ONAY', consent_date: new Date('2024-03-04T02:06:07Z') },
  ]);
  const doubted = 'select reconcile_from is not null as asks from consent_cursors where account_id = $1';
  expect((await db.query(doubted, [id])).rows).toEqual([{ asks: true }]);
  expect(await bring(command('import consents'), path)).toMatchObject({ added: 0, known: 3 });
  expect(await count('consent_records')).toBe(3);
});

test('a file that does not say who consents is not guessed at', async () => {
  const path = place('onaylilar.csv', 'gsm;tarih\n5320000020;01.02.2024\n');
  await expect(bring(command('import consents'), path)).rejects.toThrow('--status ONAY');
  expect(await bring(command('import consents'), path, '--status', 'ONAY', '--brand', '701701')).toMatchObject({
    added: 1,
  });
  await expect(bring(command('import consents'), place('a.csv', 'gsm;durum\n5320000020;ONAY\n'))).rejects.toThrow(
    'date of the consent',
  );
});

test('sender IDs are approved unless they were not there, break the rules, or were rejected here', async () => {
  await decideSender(db, id, 'YASAK', 'rejected');
  const path = place(
    'basliklar.csv',
    'Gönderici Adı;Durum\nDENEME;Onaylandı\nBEKLEYEN;Onay bekliyor\nYASAK;Aktif\nÇOKUZUNBASLIK;Aktif\n',
  );
  const first = await bring(command('import senders'), path);
  expect(first).toMatchObject({ rows: 4, added: 1, known: 0, refused: 3 });
  const { rows: states } = await db.query(
    'select name, state, decided_at from senders where account_id = $1 order by name',
    [id],
  );
  expect(states).toMatchObject([
    { name: 'DENEME', state: 'approved' },
    { name: 'YASAK', state: 'rejected' },
  ]);
  expect(await bring(command('import senders'), path)).toMatchObject({ added: 0, known: 1, refused: 3 });
  expect(
    (await db.query('select decided_at from senders where account_id = $1 and name = $2', [id, 'DENEME'])).rows[0]
      .decided_at,
  ).toEqual(states[0].decided_at);
});

test('a file that cannot be imported says why, and nothing is changed', async () => {
  const before = await count('blacklist_entries');
  const wrong: [string, string | Buffer, RegExp][] = [
    ['bos.csv', '', /has no rows/],
    [
      'adlar.csv',
      'Ad;Soyad\nAli;Veli\n',
      /no column for number was found \(first row: Ad \| Soyad\); it may be called gsm no/,
    ],
    ['resim.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), /neither CSV nor XLSX/],
    ['eski.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), /save it as .xlsx or CSV/],
    ['yarim.xlsx', Buffer.from('PK\x03\x04 and no directory'), /neither CSV nor XLSX/],
  ];
  for (const [name, content, message] of wrong)
    await expect(bring(command('import blacklist'), place(name, content))).rejects.toThrow(message);
  await expect(bring(command('import blacklist'), join(folder, 'absent.csv'))).rejects.toThrow('cannot be read');
  await expect(execute(['import', 'blacklist', 'x', '--account', '1', '--database-url', database.url])).rejects.toThrow(
    'no account 1',
  );
  expect(await count('blacklist_entries')).toBe(before);
});

test('dates are read as Turkish lists, spreadsheets and the registry write them, in Turkey’s time', () => {
  const moment = '2026-11-15T07:05:00.000Z';
  for (const text of [
    '15.11.2026 10:05',
    '15/11/2026 10:05:00',
    '2026-11-15 10:05:00',
    '2026-11-15T10:05:00',
    '2026-11-15T07:05:00Z',
  ])
    expect(readMoment(text)?.toISOString()).toBe(moment);
  for (const text of ['', '15 Kasım', '2026', '32.01.2026', '2026-13-01', '15.11.26'])
    expect(readMoment(text)).toBeNull();
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

test('half a million rows pass in batches: what was taken is not kept', async () => {
  const rows = 500_000;
  const line = (at: number) => `Şube ${at};0${5_300_000_000 + at};15.11.2026`;
  const path = join(folder, 'buyuk.csv');
  writeFileSync(path, 'Grup;Telefon;Tarih\n');
  for (let at = 0; at < rows; at += 10_000)
    appendFileSync(path, Array.from({ length: 10_000 }, (_, i) => `${line(at + i)}\n`).join(''));
  let [taken, batchMax, mostKept] = [0, 0, 0];
  const passed: WeakRef<object>[] = [];
  const kind = {
    ...blacklistKind,
    take: async (_tx: unknown, _context: unknown, batch: object[]) => {
      [taken, batchMax] = [taken + batch.length, Math.max(batchMax, batch.length)];
      passed.push(new WeakRef(batch[0]!));
      if (passed.length % 20 === 0) {
        // In a turn of its own: what was just looked at stays until the turn ends.
        await setImmediate();
        collectGarbage();
        mostKept = Math.max(mostKept, passed.filter(one => one.deref() !== undefined).length);
      }
      return { added: 0, known: batch.length, refused: [] };
    },
  };
  const context = { accountId: id, abroad: false, fileName: 'buyuk.csv', preset: {} };
  const task = {
    kind,
    path,
    context,
    isDry: true,
    reportPath: `${path}.refused.csv`,
    onFirst: async () => {},
    onProgress() {},
  };
  expect(await importFile(db, task)).toMatchObject({ rows, known: rows, refused: 0 });
  expect([taken, batchMax]).toEqual([rows, 5_000]);
  // Of a hundred batches: the one being taken, and what is read ahead of it.
  expect(mostKept).toBeGreaterThan(0);
  expect(mostKept).toBeLessThan(5);
});
