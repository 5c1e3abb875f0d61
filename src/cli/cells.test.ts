// Cells as the operator makes and sees them, on two databases of one server.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { createCellsAuthenticate } from '../cells/authenticate.ts';
import { CellParts } from '../cells/cell-parts.ts';
import { openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { loadSecretKey } from '../secrets.ts';
import { command, commandLine } from './command-fixture.ts';

const { database, data, run, json } = await commandLine();
const other = await testDatabase({ empty: true });
afterAll(() => other.close());

const part = (db: typeof database.pool) => ({ db, authenticate: createAuthenticate(db), stop: () => db.end() });

async function cellsOf() {
  const key = loadSecretKey(data, '');
  const open = (connection: typeof database.connection | { connectionString: string }) =>
    part(openPool(connection, { max: 2, name: 'peyk test', onError: () => {} }));
  const cells = new CellParts(part(database.pool), { homeDb: database.pool, key, log: silentLog, open });
  await cells.look();
  return cells;
}

test('a cell is added once, and neither the home nor a database in use becomes one', async () => {
  expect(await json(...command('cell list'))).toEqual([]);
  await expect(run('cell', 'add', 'host=one')).rejects.toThrow('an address begins with postgres://');
  await expect(run('cell', 'add', database.url)).rejects.toThrow('that is the home itself');
  expect(await json(...command('cell add'), other.url, '--weight', '3')).toEqual({ cell: 1, weight: 3, cells: 2 });
  await expect(run('cell', 'add', other.url)).rejects.toThrow('it is cell 1 already');
  const foreign = await testDatabase();
  try {
    await foreign.pool.query(`insert into accounts (name) values ('Somebody')`);
    await expect(run('cell', 'add', foreign.url)).rejects.toThrow('it is a home of its own');
  } finally {
    await foreign.close();
  }
  const { rows } = await other.pool.query(`select nextval('order_ids') as orders, nextval('message_ids') as messages`);
  expect(rows).toEqual([{ orders: 1_000_000_000_001, messages: 1_000_000_000_001 }]);
});

test('cell list tells accounts, size and state of each, and no password', async () => {
  const lines = await json(...command('cell list'));
  expect(lines).toMatchObject([
    { cell: 0, state: 'ok', accounts: 0, address: 'home', weight: 1 },
    { cell: 1, state: 'ok', accounts: 0, weight: 3 },
  ]);
  expect(lines[1].megabytes).toBeGreaterThan(1);
});

test('new accounts go to the cells by weight or to the one named, and their keys work from the home', async () => {
  const home = await json(...command('account create'), '--name', 'Evde', '--cell', '0');
  const there = await json(...command('account create'), '--name', 'Orada');
  expect([home.cell, there.cell]).toEqual([0, 1]);
  const cells = await cellsOf();
  const authenticate = createCellsAuthenticate(cells);
  const found = await authenticate(there.key, there.hash, '10.0.0.1');
  expect(found).toMatchObject({ ok: true, account: { id: Number(there.id), cell: 1 } });
  expect(await authenticate(home.key, home.hash, '10.0.0.1')).not.toHaveProperty('account.cell');
  expect(await authenticate('nobody', 'x', '10.0.0.1')).toMatchObject({ ok: false, cause: 'unknown-key' });
  expect(await authenticate(there.key, 'x', '10.0.0.1')).toMatchObject({ ok: false, cause: 'wrong-hash', cell: 1 });

  const fresh = await json(...command('credentials rotate'), there.id);
  expect((await authenticate(fresh.key, fresh.hash, '10.0.0.1')).ok).toBe(true);
  expect((await authenticate(there.key, there.hash, '10.0.0.1')).ok).toBe(false);
  await cells.stop();
});

test('a key that the home was not told of is found by asking the cells, and a moved account by asking again', async () => {
  const { id, key, hash } = await json(...command('account create'), '--name', 'Gezgin', '--cell', '1');
  await database.pool.query('delete from cell_names where account_id = $1', [id]);
  const cells = await cellsOf();
  const authenticate = createCellsAuthenticate(cells);
  expect(await authenticate(key, hash, '10.0.0.1')).toMatchObject({ ok: true, account: { cell: 1 } });
  const { rows } = await database.pool.query('select name from cell_names where account_id = $1', [id]);
  expect(rows).toEqual([{ name: key }]);
  await cells.stop();
});

test('commands about an account work in its cell, and those about everything in all of them', async () => {
  const lines = await json(...command('account list'));
  expect(lines.map((one: { name: string }) => one.name).sort()).toEqual(['Evde', 'Gezgin', 'Orada']);
  const there = lines.find((one: { name: string }) => one.name === 'Orada');
  await json(...command('account set'), there.id, 'name=Ötede', 'old-login=otede');
  expect(await json(...command('account show'), there.id)).toMatchObject({ name: 'Ötede', 'old-login': 'otede' });
  const { rows } = await database.pool.query(
    `select name from accounts where id = $1 union all
    select name from cell_names where kind = 'old-login' and account_id = $1`,
    [there.id],
  );
  expect(rows).toEqual([{ name: 'Ötede' }, { name: 'otede' }]);
  expect(await json('audit')).toEqual({ ok: true, findings: [] });
  await other.pool.query('update balances set sms = sms + 1 where account_id = $1', [there.id]);
  expect((await json('audit')).findings[0].subject).toMatch(/^cell 1, /);
  process.exitCode = 0;
  await other.pool.query('update balances set sms = sms - 1 where account_id = $1', [there.id]);
  expect(await json('migrate')).toEqual({ ok: true });
  await expect(run('account', 'list', '--cell', '5')).rejects.toThrow('there is no cell 5');
  expect(await json('account', 'list', '--cell', '0')).toMatchObject([{ name: 'Evde' }]);
});

test('a drained cell gets no new accounts', async () => {
  expect(await json(...command('cell drain'), '1')).toEqual({ cell: 1, draining: true });
  expect((await json(...command('account create'), '--name', 'Sonra')).cell).toBe(0);
  expect(await json(...command('cell drain'), '1', '--end')).toEqual({ cell: 1, draining: false });
  expect(await json(...command('cell weight'), '0', '0')).toEqual({ cell: 0, weight: 0 });
  expect((await json(...command('account create'), '--name', 'En son')).cell).toBe(1);
  await expect(run('cell', 'drain', '4')).rejects.toThrow('there is no cell 4');
});

test('an account is moved by a command, which says no where it cannot', async () => {
  const [{ id }] = await json('account', 'list', '--cell', '0');
  await expect(run('account', 'move', id, '0')).rejects.toThrow(`account ${id} is in cell 0`);
  await expect(run('account', 'move', id, '7')).rejects.toThrow('there is no cell 7');
  await expect(run('account', 'move', '999999', '1')).rejects.toThrow('there is no account 999999');
  await expect(run('account', 'move', id, '1', '--cancel')).rejects.toThrow(`account ${id} is not being moved`);
  expect(await json(...command('account move'), id, '1')).toMatchObject({ account: id, from: 0, to: 1 });
  expect(await json(...command('account moves'))).toEqual([]);
  const lines = (await json('account', 'list')).filter((one: { id: string }) => one.id === id);
  expect(lines).toHaveLength(1);
  expect(await json('audit')).toEqual({ ok: true, findings: [] });
}, 180_000);
