// The directory: the cell of each account, the names of accounts, and the cell for new accounts.
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { setOldLogin } from '../accounts/old-login.ts';
import { openAccount } from '../accounts/open.ts';
import { changeSettings } from '../accounts/settings.ts';
import { audit } from '../audit/invariants.ts';
import {
  addCell,
  cellOfAccount,
  cellOfName,
  cellOfNumber,
  changeCell,
  hasCells,
  placeNewAccount,
  readCells,
  reflectAccount,
  setCellOfAccount,
} from './directory.ts';

const homeDatabase = await testDatabase();
const cellDatabase = await testDatabase();
const home = homeDatabase.pool;
const cell = cellDatabase.pool;
afterAll(() => Promise.all([homeDatabase.close(), cellDatabase.close()]));
const key = randomBytes(32);

test('without cells new accounts are created in the home database', async () => {
  expect(await readCells(home, key)).toEqual([]);
  expect(await hasCells(home)).toBe(false);
  expect(await placeNewAccount(home)).toBe(0);
});

test('a new account is created in the cell with the fewest accounts for its weight, and not in a draining one', async () => {
  expect(await addCell(home, key, 'postgres://one/peyk', 3)).toBe(1);
  expect(await readCells(home, key)).toMatchObject([
    { id: 0, connection: null },
    { id: 1, connection: { connectionString: 'postgres://one/peyk' }, weight: 3, draining: false },
  ]);
  await openAccount(home, 'At home');
  expect(await placeNewAccount(home)).toBe(1);
  await changeCell(home, 1, { draining: true });
  expect(await placeNewAccount(home)).toBe(0);
  await changeCell(home, 1, { draining: false });
  expect(await changeCell(home, 7, { draining: true })).toBe(false);
});

test('the home knows name, status, keys and logins of an account of another cell', async () => {
  const { key: apiKey, id } = await openAccount(cell, 'In a cell');
  await setCellOfAccount(home, id, 1);
  await reflectAccount(home, cell, id);
  expect(await cellOfAccount(home, id)).toBe(1);
  expect(await cellOfName(home, 'key', apiKey)).toEqual({ accountId: id, cell: 1 });
  await setOldLogin(cell, id, 'elsewhere');
  await changeSettings(cell, id, { status: 'suspended', 'panel-ips': '10.0.0.1' });
  await reflectAccount(home, cell, id);
  expect(await cellOfName(home, 'old-login', 'elsewhere')).toEqual({ accountId: id, cell: 1 });
  const { rows } = await home.query('select name, status, panel_ips from accounts where id = $1', [id]);
  expect(rows).toEqual([{ name: 'In a cell', status: 'suspended', panel_ips: ['10.0.0.1'] }]);
  expect((await audit(home)).findings).toEqual([]);
});

test('the cell of an order follows from its id', () => {
  expect([1_000_000_001, 1_000_000_000_001, 12_000_000_000_007].map(cellOfNumber)).toEqual([0, 1, 12]);
});
