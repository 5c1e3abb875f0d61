// The panel's list and the auditors' file.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRegistry } from '../../simulators/registry/server.ts';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { consentHistory, exportConsents } from './history.ts';
import { brand, createScene, draft, numbered, quickRegistry, type Scene } from './sync/sync-fixture.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await createScene(await testDatabase(), await startRegistry(quickRegistry));
  await scene.register(draft(numbered(1)), draft(numbered(2), { status: 'RET' }), draft(numbered(3)));
  await scene.sync();
  await scene.register(draft(numbered(4)), draft('=deneme@example.org', { type: 'EPOSTA' }));
});
afterAll(() => scene.close());

const recipients = async (filter: Parameters<typeof consentHistory>[2]) =>
  (await consentHistory(scene.db, scene.accountId, filter)).records.map(record => record.recipient);

async function file(accountId: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportConsents(scene.db, accountId, brand)) lines.push(line);
  return lines;
}

test('the history shows every record, newest first, with its state and the Turkish reason of a refusal', async () => {
  const { records, next } = await consentHistory(scene.db, scene.accountId);
  expect(next).toBeNull();
  expect(records.map(record => record.syncState)).toEqual(['queued', 'queued', 'accepted', 'refused', 'accepted']);
  expect(records[3]).toMatchObject({
    code: 'H175',
    reason: expect.stringContaining('ilk kaydı RET olamaz'),
    counts: true,
  });
  expect(records[4]).toMatchObject({ transactionId: expect.any(String), reason: null, origin: 'api', attempts: 1 });
});

test('pages join without gaps or repeats', async () => {
  const seen: string[] = [];
  let before: number | undefined;
  do {
    const page = await consentHistory(scene.db, scene.accountId, { rowCount: 2, before });
    seen.push(...page.records.map(record => record.recipient));
    before = page.next ?? undefined;
  } while (before !== undefined);
  expect(seen).toEqual(await recipients({}));
});

test('every filter narrows the list', async () => {
  expect(await recipients({ syncState: 'refused' })).toEqual([numbered(2)]);
  expect(await recipients({ status: 'RET' })).toEqual([numbered(2)]);
  expect(await recipients({ type: 'EPOSTA' })).toEqual(['=deneme@example.org']);
  expect(await recipients({ recipient: numbered(3), brand })).toEqual([numbered(3)]);
  expect(await recipients({ recipientType: 'TACIR' })).toEqual([]);
  expect(await recipients({ origin: 'registry' })).toEqual([]);
  expect(await recipients({ start: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await recipients({ end: new Date(Date.now() + 60_000) })).toHaveLength(5);
});

test('the file begins with a byte order mark and keeps every cell from being read as a formula', async () => {
  const lines = await file(scene.accountId);
  expect(lines[0]).toMatch(/^\uFEFFKayıt No;Marka Kodu;Alıcı;/);
  expect(lines).toHaveLength(6);
  expect(lines.every(line => line.endsWith('\r\n'))).toBe(true);
  const cells = lines.slice(1).map(line => line.trimEnd().split(';'));
  expect(cells.map(row => row[2])).toEqual([
    ...[1, 2, 3, 4].map(index => `'${numbered(index)}`),
    `'=deneme@example.org`,
  ]);
  expect(cells.flat().filter(cell => /^[=+\-@]/.test(cell))).toEqual([]);
  expect(lines[2]).toContain('reddedildi');
  // The registry's sentence contains a semicolon.
  expect(lines[2]).toContain('"Alıcının İYS’deki ilk kaydı RET olamaz; önce ONAY kaydı gerekir."');
});

test('nobody sees another account’s records', async () => {
  const other = await openAccount(scene.db, 'Başka');
  expect((await consentHistory(scene.db, other.id)).records).toEqual([]);
  expect(await file(other.id)).toHaveLength(1);
});
