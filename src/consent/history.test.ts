// The panel's list of consents.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScene } from '../../test/support/peers/consent-scene.ts';
import { openAccount } from '../accounts/open.ts';
import { consentHistory } from './history.ts';
import { brand, draft, numbered, type Scene } from './sync/sync-fixture.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
  await scene.register(draft(numbered(1)), draft(numbered(2), { status: 'RET' }), draft(numbered(3)));
  await scene.sync();
  await scene.register(draft(numbered(4)), draft('=deneme@example.org', { type: 'EPOSTA' }));
});
afterAll(() => scene.close());

const recipients = async (filter: Parameters<typeof consentHistory>[2]) =>
  (await consentHistory(scene.db, scene.accountId, filter)).records.map(record => record.recipient);

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

test('nobody sees another account’s records', async () => {
  const other = await openAccount(scene.db, 'Başka');
  expect((await consentHistory(scene.db, other.id)).records).toEqual([]);
});
