import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { audit } from '../audit/invariants.ts';
import { grantCredit, ledgerPage, readBalance } from './ledger.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

test('a grant changes balance and ledger together and returns the new balance', async () => {
  const { id } = await openAccount(db, 'Deneme');
  expect(await grantCredit(db, id, 50, 'Yükleme', 'operator', '12.5')).toEqual({ sms: 150, amount: '12.5000' });
  expect(await readBalance(db, id)).toEqual({ sms: 150, amount: '12.5000' });
  expect((await ledgerPage(db, id))[0]).toMatchObject({
    kind: 'grant',
    sms: 50,
    reserved: 0,
    amount: '12.5000',
    orderId: null,
    reason: 'Yükleme',
    actor: 'operator',
  });
});

test('many grants at once are all counted', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await Promise.all(Array.from({ length: 50 }, (_, i) => grantCredit(db, id, i, 'test', 'test', '0.0001')));
  expect(await readBalance(db, id)).toEqual({ sms: 100 + 1_225, amount: '0.0050' });
});

test('credit can be taken back, but not below zero, and a failed grant leaves no entry', async () => {
  const { id } = await openAccount(db, 'Deneme');
  expect((await grantCredit(db, id, -40, 'Düzeltme', 'test')).sms).toBe(60);
  await expect(grantCredit(db, id, -61, 'Düzeltme', 'test')).rejects.toThrow('balances_sms_check');
  await expect(grantCredit(db, 999_999, 5, 'x', 'test')).rejects.toThrow('no account');
  expect(await ledgerPage(db, id)).toHaveLength(2);
});

test('money is decimal: no sum of it drifts', async () => {
  const { id } = await openAccount(db, 'Deneme');
  for (const amount of ['0.1', '0.2', '-0.3', '9999999999.9999', '-9999999999.9998'])
    await grantCredit(db, id, 0, 'x', 'x', amount);
  expect((await readBalance(db, id))!.amount).toBe('0.0001');
});

test('pages of the ledger are newest first and go on where the last one ended', async () => {
  const { id } = await openAccount(db, 'Deneme');
  for (let i = 1; i <= 5; i++) await grantCredit(db, id, i, 'x', 'x');
  const first = await ledgerPage(db, id, undefined, 4);
  const rest = await ledgerPage(db, id, first.at(-1)!.id, 4);
  expect([...first, ...rest].map(one => one.sms)).toEqual([5, 4, 3, 2, 1, 100]);
});

test('the sum of entries is the balance of every account', async () => {
  expect(await audit(db)).toEqual({ ok: true, findings: [] });
});
