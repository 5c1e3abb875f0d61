// Registering consent against the database: all or nothing, quota under concurrency, HS_KARAR.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand } from './brands.ts';
import type { ConsentDraft } from './record.ts';
import { registerConsents } from './register.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const brand = 701701;
const now = new Date();

const draft = (i: number, more: Partial<ConsentDraft> = {}): ConsentDraft => ({
  recipient: `+90${5_550_000_000 + i}`,
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'ONAY',
  source: 'HS_WEB',
  consentDate: now,
  ...more,
});

async function open(quota: number | null = null): Promise<number> {
  const { id } = await openAccount(db, 'Deneme');
  await addBrand(db, id, brand, quota);
  return id;
}

const stored = async (id: number) =>
  (await db.query('select count(*)::int as n from consent_records where account_id = $1', [id])).rows[0].n;
const used = async (id: number) =>
  (await db.query('select sum(used)::int as n from consent_usage where account_id = $1', [id])).rows[0].n ?? 0;

test('records are queued for the registry as they were given', async () => {
  const id = await open();
  await registerConsents(db, id, brand, [draft(0), draft(1, { status: 'RET', source: 'HS_MESAJ' })], 'panel', now);
  const { rows } = await db.query(
    'select recipient, status, source, origin, sync_state, counts from consent_records where account_id = $1 order by id',
    [id],
  );
  const common = { origin: 'panel', sync_state: 'queued', counts: true };
  expect(rows).toEqual([
    { recipient: '+905550000000', status: 'ONAY', source: 'HS_WEB', ...common },
    { recipient: '+905550000001', status: 'RET', source: 'HS_MESAJ', ...common },
  ]);
});

test('requests that race for the rest of a quota never exceed it, and none is stored in part', async () => {
  const id = await open(10);
  const drafts = [draft(0), draft(1), draft(2)];
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, () => registerConsents(db, id, brand, drafts, 'api', now)),
  );
  expect(results.filter(one => one.status === 'fulfilled')).toHaveLength(3);
  for (const one of results) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 405 });
  expect([await stored(id), await used(id)]).toEqual([9, 9]);
});

test('a list larger than the whole quota is refused and not counted', async () => {
  const id = await open(1);
  await expect(registerConsents(db, id, brand, [draft(0), draft(1)], 'api', now)).rejects.toMatchObject({ code: 405 });
  expect([await stored(id), await used(id)]).toEqual([0, 0]);
});

test('a ruling needs an earlier record of the same recipient, list and kind, in the store or the same list', async () => {
  const id = await open();
  const ruling = draft(0, { source: 'HS_KARAR' });
  const register = (drafts: ConsentDraft[]) => registerConsents(db, id, brand, drafts, 'api', now);
  await expect(register([ruling])).rejects.toMatchObject({ code: 422 });
  await expect(register([ruling, ruling])).rejects.toMatchObject({ code: 422 });
  await expect(register([draft(1), ruling])).rejects.toMatchObject({ code: 422 });
  expect([await stored(id), await used(id)]).toEqual([0, 0]);
  await register([draft(0), ruling]);
  await register([ruling]);
  await expect(register([{ ...ruling, type: 'ARAMA' }])).rejects.toMatchObject({ code: 422 });
});

test('a brand code that is not, or no longer, the account’s is refused', async () => {
  const id = await open();
  await expect(registerConsents(db, id, 5, [draft(0)], 'api', now)).rejects.toMatchObject({ code: 422 });
  await db.query('update brands set active = false where account_id = $1', [id]);
  await expect(registerConsents(db, id, brand, [draft(0)], 'api', now)).rejects.toMatchObject({ code: 422 });
});
