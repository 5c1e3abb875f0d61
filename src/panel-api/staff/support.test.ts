// Support over a real database: finding a caller, and what staff may remove.
import { afterAll, expect, test } from 'vitest';
import { listAccounts } from '../../accounts/account.ts';
import { platformAccount } from '../../accounts/platform-account.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

test('the account of the platform itself is not among the customers', async () => {
  const { id } = await platformAccount(pool);
  const staff = await panel.staff();
  const { rows } = await staff.ok('staff.accounts', {});
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(one => one.id)).not.toContain(id);
  const { accounts } = await staff.ok('staff.status', {});
  expect(accounts.active).toBe(rows.length);
  expect((await listAccounts(pool)).map(one => one.id)).not.toContain(id);
  expect((await staff.ok('staff.search', { text: 'Peyk' })).hits).toEqual([]);
});

test('one search finds accounts, people, orders and numbers of all customers', async () => {
  const staff = await panel.staff();
  const owner = await panel.owner('Aranan İşletme');
  const draft = { sender: 'APITEST', text: 'Bulunacak', recipients: ['5550001234'], commercial: false };
  const { orderId } = await owner.ok('send.submit', {
    ...draft,
    sendAt: '2099-01-01 10:00',
    idempotencyKey: 'aranan-1',
  });
  await owner.ok('blacklist.add', { numbers: ['5550009876'] });
  const found = async (text: string) => (await staff.ok('staff.search', { text })).hits;
  const account = { accountId: owner.accountId, accountName: 'Aranan İşletme' };
  expect(await found('aranan işl')).toMatchObject([{ kind: 'account', id: owner.accountId, owner: owner.email }]);
  expect(await found(owner.email)).toMatchObject([
    { kind: 'account', id: owner.accountId },
    { kind: 'user', email: owner.email, accounts: [{ id: owner.accountId }] },
  ]);
  expect(await found(String(orderId))).toMatchObject([{ kind: 'order', id: orderId, state: 'scheduled', ...account }]);
  for (const form of ['0555 000 12 34', '+905550001234', '5550009876'])
    expect(await found(form), form).toMatchObject([{ kind: 'number', ...account }]);
  expect(await found('5550000009')).toEqual([]);
});

test('brand codes and inbound numbers are taken away with a reason', async () => {
  const staff = await panel.staff();
  const { accountId: id } = await panel.owner();
  await staff.ok('staff.addBrand', { id, code: 880_001, quota: null });
  await staff.ok('staff.addNumber', { id, number: '7889', keyword: 'ornek' });
  expect((await staff.refusal('staff.removeBrand', { id, code: 880_001, reason: '' })).code).toBe('reason-needed');
  const without = await staff.ok('staff.removeBrand', { id, code: 880_001, reason: 'Sözleşme bitti' });
  expect(without.brands.filter(one => one.active)).toEqual([]);
  const bare = await staff.ok('staff.removeNumber', { id, number: '7889', keyword: 'ORNEK', reason: 'Devredildi' });
  expect(bare.numbers).toEqual([]);
  expect((await staff.refusal('staff.removeNumber', { id, number: '7889', reason: 'x' })).code).toBe('not-found');
  const { rows } = await staff.ok('staff.audit', { accountId: id });
  expect(rows.slice(0, 2).map(row => [row.action, row.detail])).toEqual([
    ['number.remove', { number: '7889', keyword: 'ORNEK', reason: 'Devredildi' }],
    ['brand.remove', { code: 880_001, reason: 'Sözleşme bitti' }],
  ]);
});
