// Cells as the operator makes and sees them, on two databases of one server.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { createCellsAuthenticate } from '../cells/authenticate.ts';
import { CellParts } from '../cells/cell-parts.ts';
import { readCells } from '../cells/directory.ts';
import { shareCarriers } from '../cells/share-carriers.ts';
import { serversThatRefuse } from '../db/citus/distribute.ts';
import { openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { loadSecretKey, seal } from '../sealing/secrets.ts';
import { command, commandLine, stderrOf } from './command-fixture.ts';
import { execute } from './execute.ts';

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
  expect(rows).toEqual([{ orders: 1_000_000_000_001, messages: 1_000_000_000_128 }]);
});

test('a server of a cluster that does not let us in is named before anything is changed', async () => {
  const coordinator = await testDatabase();
  await coordinator.pool.query(`create table pg_dist_node (nodename text, nodeport int, noderole text, isactive bool, groupid int);
    insert into pg_dist_node values ('worker-1', 1, 'primary', true, 1), ('worker-2', 2, 'primary', true, 2)`);
  const address = `${coordinator.url}&schema=public_x&citus_hosts=worker-1:127.0.0.1,worker-2:127.0.0.2`;
  expect(await serversThatRefuse(coordinator.pool, address)).toEqual([
    expect.stringMatching(/^server 127\.0\.0\.1:1 of the cluster: .*ECONNREFUSED/),
    expect.stringMatching(/^server 127\.0\.0\.2:2 of the cluster: .*ECONNREFUSED/),
  ]);
  await coordinator.close();
});

test('only a schema of a Citus cluster is distributed, and nothing is left of a refusal', async () => {
  await expect(run(...command('distribute'), other.url)).rejects.toThrow('name a schema');
  const elsewhere = await testDatabase({ empty: true });
  try {
    await expect(run('distribute', `${elsewhere.url}&schema=cell_1`)).rejects.toThrow(
      'there is no Citus in that database',
    );
    await expect(run('distribute', `${elsewhere.url}&schema=Cell`)).rejects.toThrow('schema must be a plain name');
    expect((await elsewhere.pool.query(`select to_regnamespace('cell_1') as made`)).rows).toEqual([{ made: null }]);
  } finally {
    await elsewhere.close();
  }
  expect(await json(...command('cell list'))).toHaveLength(2);
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

test('a key that the home does not know is found by asking the cells, and a moved account by asking again', async () => {
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

test('the address of a cell is changed to another one of the same cell, and to nothing else', async () => {
  const address = command('cell address');
  const renamed = `${other.url}&application_name=elsewhere`;
  expect(await json(...address, '1', renamed)).toEqual({ cell: 1, changed: true });
  const [, cell] = await readCells(database.pool, loadSecretKey(data, ''));
  expect(cell!.connection).toEqual({ connectionString: renamed });
  expect(await json('cell', 'list')).toMatchObject([{ state: 'ok' }, { cell: 1, state: 'ok' }]);
  await expect(run(...address, '0', other.url)).rejects.toThrow('its address is DATABASE_URL');
  await expect(run(...address, '7', other.url)).rejects.toThrow('there is no cell 7');
  await expect(run(...address, '1', 'host=one')).rejects.toThrow('an address begins with postgres://');
  await expect(run(...address, '1', database.url)).rejects.toThrow('that database is not cell 1 of this home');
  const stranger = await testDatabase({ empty: true });
  try {
    await expect(run(...address, '1', stranger.url)).rejects.toThrow('that database is not cell 1 of this home');
  } finally {
    await stranger.close();
  }
  await json(...address, '1', other.url);
});

test('a carrier is removed only when no cell sends through it, and no cell has pending receipts of it', async () => {
  const share = () =>
    shareCarriers(
      [
        [0, database.pool],
        [1, other.pool],
      ],
      silentLog,
    );
  const copies = async () => (await other.pool.query('select id, paused from carriers')).rows;
  const settings = ['--host', 'smsc.example.com', '--port', '2775', '--system-id', 'peyk', '--password', 'gizli'];
  await run('carrier', 'add', '--name', 'giden', ...settings, '--binds', '2');
  await expect.poll(() => share().then(copies)).toMatchObject([{ paused: false }]);
  await run('carrier', 'pause', 'giden');
  const remove = () => json(...command('carrier remove'), 'giden');
  await expect(remove()).rejects.toThrow('try again in a moment');
  await expect.poll(() => share().then(copies)).toMatchObject([{ paused: true }]);
  const [{ id }] = await copies();
  await other.pool.query(
    `with m as (insert into messages (id, account_id, order_id, number, text_no, credits, status)
       values (1, 1, 1, 905550000000, 0, 1, 110) returning id, account_id)
     insert into submits (day, carrier_id, smsc_id, message_id, part, parts) select 0, $1, 'x', id, 1, 1 from m`,
    [id],
  );
  await expect(remove()).rejects.toThrow('1 pending receipts');
  for (const table of ['submits', 'messages']) await other.pool.query(`delete from ${table}`);
  expect(await remove()).toEqual({ name: 'giden', removed: true });
  await share();
  expect(await copies()).toEqual([]);
});

test('the doctor looks at the database of each cell', async () => {
  const { checks } = await json('doctor');
  process.exitCode = 0;
  const ofCell = checks.filter((one: { name: string }) => one.name.startsWith('cell 1: '));
  expect(ofCell.map((one: { name: string }) => one.name.slice('cell 1: '.length))).toEqual([
    ...[
      'database version',
      'schema',
      'durability',
      'clock',
      'connections',
      'content',
      'carriers',
      'backups',
      'sending',
      'quarantine',
    ],
  ]);
});

test('a cell is taken out when it is drained and empty, gives its binds back, and its number is never given again', async () => {
  const remove = () => json(...command('cell remove'), '2');
  await expect(remove()).rejects.toThrow('there is no cell 2');
  await expect(run('cell', 'remove', '0')).rejects.toThrow('cell 0 is the home itself');
  const third = await testDatabase({ empty: true });
  try {
    await json(...command('cell add'), third.url);
    await expect(remove()).rejects.toThrow('peyk cell drain 2 first');
    await database.pool.query('insert into account_cells (account_id, cell) values (77, 2)');
    await json(...command('cell drain'), '2');
    await expect(remove()).rejects.toThrow('1 accounts live in cell 2');
    await database.pool.query('delete from account_cells where account_id = 77');
    await third.pool.query("insert into receipts (carrier_id, smsc_id, status, reason) values (1, 'a', 111, 0)");
    await expect(remove()).rejects.toThrow('1 receipts in cell 2 are still to be offered to the others');
    await third.pool.query('update receipts set offered = true');
    await database.pool.query('insert into carrier_shares (carrier_id, cell, binds) values (5, 2, 1)');
    expect(await remove()).toEqual({ removed: 2 });
    expect((await json(...command('cell list'))).map((one: { cell: number }) => one.cell)).toEqual([0, 1]);
    expect((await database.pool.query('select 1 from carrier_shares where cell = 2')).rows).toEqual([]);
    // What was interrupted is done again.
    expect(await remove()).toEqual({ removed: 2 });
    const fourth = await testDatabase({ empty: true });
    expect((await json(...command('cell add'), fourth.url)).cell).toBe(3);
    await json(...command('cell drain'), '3');
    await fourth.close();
    await expect(run('cell', 'remove', '3')).rejects.toThrow();
    expect(await json(...command('cell remove'), '3', '--gone')).toEqual({ removed: 3 });
  } finally {
    await third.close();
  }
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
});

test('a cell that could not be announced is nobody’s: it is not listed, and can be added again', async () => {
  const further = await testDatabase({ empty: true });
  const made = (await database.pool.query(`select pg_get_functiondef('channel'::regproc) as text`)).rows[0].text;
  await database.pool.query('drop function channel');
  await expect(run('cell', 'add', further.url)).rejects.toThrow('channel');
  await database.pool.query(made);
  // Nor one that its home could not commit.
  await database.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create constraint trigger refuse after insert on cells deferrable initially deferred for each row execute function refuse()`);
  await expect(run('cell', 'add', further.url)).rejects.toThrow('full');
  await database.pool.query('drop function refuse cascade');
  const before = (await json('cell', 'list')).length;
  expect((await further.pool.query('select count(*)::int as count from this_cell')).rows).toEqual([{ count: 0 }]);
  expect(await json('cell', 'add', further.url)).toMatchObject({ cells: before + 1 });
  const id = String((await json('cell', 'list')).at(-1).cell);
  await run('cell', 'drain', id);
  await run('cell', 'remove', id);
  await further.close();
});

test('cell add warns of a carrier with fewer binds than cells', async () => {
  const further = await testDatabase({ empty: true });
  const settings = ['--host', 'smsc.example.com', '--port', '2775', '--system-id', 'peyk', '--password', 'gizli'];
  await run('carrier', 'add', '--name', 'dar', ...settings, '--binds', '1');
  const written = await stderrOf(() => run('cell', 'add', further.url));
  const cells = await json('cell', 'list');
  expect(written).toEqual([
    expect.stringMatching(new RegExp(`^carrier dar has 1 binds for ${cells.length} cells: some cells cannot use it`)),
  ]);
  const id = String(cells.at(-1).cell);
  await run('cell', 'drain', id);
  await run('cell', 'remove', id);
  await run('carrier', 'pause', 'dar');
  await run('carrier', 'remove', 'dar', '--force');
  await further.close();
});

test('with a cell away, lists and the audit tell of the others, name it, and end with code 1; sums have one shape', async () => {
  const key = loadSecretKey(data, '');
  expect(Object.keys(await json(...command('consent sync'))).sort()).toEqual(['accepted', 'pulled', 'refused', 'sent']);
  const before = (await database.pool.query('select address from cells where id = 1')).rows[0].address;
  await database.pool.query('update cells set address = $1 where id = 1', [seal(key, 'postgresql://127.0.0.1:1/x')]);
  let names: string[] = [];
  let ok = false;
  const written = await stderrOf(async () => {
    names = (await json('account', 'list')).map((one: { name: string }) => one.name);
    ok = (await json('audit')).ok;
  });
  const code = process.exitCode;
  process.exitCode = 0;
  await database.pool.query('update cells set address = $1 where id = 1', [before]);
  expect(names).toContain('Sonra');
  expect(ok).toBe(true);
  expect(code).toBe(1);
  expect(written.filter(text => text.startsWith('cell 1 is left out'))).toHaveLength(2);
});

test('every command that works in a database has an option that chooses it', async () => {
  expect(await execute(['account', 'create', '--help'])).toMatch(/--cell .*cell for the account/);
  expect(await execute(['account', 'list', '--help'])).toContain('--cell');
  expect(await execute(['config', '--help'])).not.toContain('--cell');
});
