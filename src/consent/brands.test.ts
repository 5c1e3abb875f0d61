import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand, chargeQuota, listBrands, monthOf, quotaHasRoom, removeBrand } from './brands.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

/** The first account has the brands 5 and 6, the other one its own brand 5; each with a quota of 10. */
async function twoAccountsOfThreeBrands(): Promise<{ id: number; other: number }> {
  const [{ id }, { id: other }] = [await openAccount(db, 'Deneme'), await openAccount(db, 'Öteki')];
  for (const code of [5, 6]) await addBrand(db, id, code, 10);
  await addBrand(db, other, 5, 10);
  return { id, other };
}

test('a month begins at midnight in Turkey, three hours before UTC', () => {
  expect(monthOf(new Date('2026-01-31T20:59:59Z'))).toBe('2026-01');
  expect(monthOf(new Date('2026-01-31T21:00:00Z'))).toBe('2026-02');
});

test('adding a brand again changes its quota and makes it active', async () => {
  const { id } = await openAccount(db, 'Deneme');
  expect(await addBrand(db, id, 5, 10)).toEqual({ code: 5, quota: 10, active: true });
  await db.query('update brands set active = false where account_id = $1', [id]);
  await addBrand(db, id, 5, null);
  expect(await listBrands(db, id)).toEqual([{ code: 5, quota: null, active: true }]);
});

test('a quota is charged whole or not at all, month by month', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await addBrand(db, id, 5, 10);
  const charge = (records: number, month = '2026-01') => chargeQuota(db, id, 5, month, records, 10);
  expect(await charge(6)).toBe(true);
  expect(await charge(5)).toBe(false);
  expect(await quotaHasRoom(db, id, 5, '2026-01', 4)).toBe(true);
  expect(await quotaHasRoom(db, id, 5, '2026-01', 5)).toBe(false);
  expect(await charge(4)).toBe(true);
  expect(await charge(1)).toBe(false);
  expect(await charge(10, '2026-02')).toBe(true);
  expect(await charge(11, '2026-03')).toBe(false);
});

test('a quota of zero lets nothing in, none lets everything in', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await addBrand(db, id, 5, 0);
  await addBrand(db, id, 6, null);
  expect(await chargeQuota(db, id, 5, '2026-01', 1, 0)).toBe(false);
  for (let i = 0; i < 3; i++) expect(await chargeQuota(db, id, 6, '2026-01', 5_000, null)).toBe(true);
  expect(await quotaHasRoom(db, id, 6, '2026-01', 1_000_000)).toBe(true);
});

test('the use of another account, brand code or month takes nothing from a quota', async () => {
  const { id, other } = await twoAccountsOfThreeBrands();
  for (const [account, code, month] of [
    [id, 6, '2026-01'],
    [other, 5, '2026-01'],
    [id, 5, '2026-02'],
  ] as const)
    expect(await chargeQuota(db, account, code, month, 8, 10)).toBe(true);
  expect(await quotaHasRoom(db, id, 5, '2026-01', 10)).toBe(true);
  expect(await quotaHasRoom(db, id, 5, '2026-02', 3)).toBe(false);
  expect(await quotaHasRoom(db, id, 7, '2026-01', 1_000)).toBe(true);
});

test('a brand that is removed is no longer active, once, and no other is touched', async () => {
  const { id, other } = await twoAccountsOfThreeBrands();
  expect(await removeBrand(db, id, 5)).toEqual({ code: 5, quota: 10, active: false });
  expect(await removeBrand(db, id, 5)).toBeUndefined();
  const active = async (account: number) => (await listBrands(db, account)).map(one => one.active);
  expect([await active(id), await active(other)]).toEqual([[false, true], [true]]);
});
