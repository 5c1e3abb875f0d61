// Data that are no longer where they last were send nothing until an operator says so, and are taken for what they are.

import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ofThisMachine } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { wait } from '../../test/support/run/wait.ts';
import { audit } from '../audit/invariants.ts';
import { recogniseHome } from '../db/data-home.ts';
import { type Db, openClient, openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';
import { claimChunks } from './claim.ts';
import { closeHeld, holdDispatch, holdOldData, readHold, releaseDispatch } from './dispatch-hold.ts';
import { FailoverCheck } from './failover-check.ts';

let bench: DispatchBench;
let account: number;
beforeEach(async () => {
  bench = await dispatchBench({ own: true });
  account = await bench.account();
});
afterEach(() => bench.close());

/** What `recogniseHome` looks at of an embedded server: its folder and two files. */
function folderOfData(): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(join(folder, 'postgres', 'global'), { recursive: true });
  for (const file of ['PG_VERSION', 'global/pg_control']) writeFileSync(join(folder, 'postgres', file), 'x');
  return folder;
}

test('a start where the data were before holds nothing, nor does a folder that was moved', async () => {
  const folder = folderOfData();
  for (let start = 0; start < 3; start++) expect(await recogniseHome(bench.db, folder)).toBeNull();
  const moved = `${folder}-elsewhere`;
  renameSync(folder, moved);
  expect(await recogniseHome(bench.db, moved)).toBeNull();
  // A node over the same database that has no data folder of its own.
  expect(await recogniseHome(bench.db, null)).toBeNull();
  expect(await readHold(bench.db)).toBeNull();
});

test('a copied data folder holds dispatch, once, and says where it came from', async () => {
  const folder = folderOfData();
  await recogniseHome(bench.db, folder);
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  expect(await recogniseHome(bench.db, copy)).toBe('other-folder');
  const detail = `${join(folder, 'postgres')} → ${join(copy, 'postgres')}`;
  expect(await readHold(bench.db)).toMatchObject({ reason: 'other-folder', detail });
  await releaseDispatch(bench.db);
  expect(await recogniseHome(bench.db, copy)).toBeNull();
});

test('a database that was recovered on another timeline holds dispatch, and gives no id that may have been given since', async () => {
  await recogniseHome(bench.db, null);
  const before = await bench.accept(account, 'Önce', [905550000001]);
  await bench.db.query('update data_home set timeline = timeline - 1');
  expect(await recogniseHome(bench.db, null)).toBe('other-timeline');
  const after = await bench.accept(account, 'Sonra', [905550000002]);
  expect(after - before).toBeGreaterThan(1_000_000_000);
  const { rows } = await bench.db.query('select max(id) - min(id) as gap from messages');
  expect(rows[0].gap).toBeGreaterThan(10_000_000_000);
  expect((await audit(bench.db)).findings).toEqual([]);
});

test('after a failover no process accepts an order before the ids jumped, also if it finds its own writes; they jump once', async () => {
  await recogniseHome(bench.db, null);
  const before = await bench.accept(account, 'Önce', [905550000001]);
  await bench.db.query('update data_home set timeline = timeline - 1');
  const options = { name: 'test', max: 1, onError: () => {} };
  const connection = ofThisMachine(bench.database.connection);
  // Processes that remember no write, and then a dispatcher that misses none of its own.
  const open = () => openPool(connection, { ...options, first: new FailoverCheck(silentLog, { leases: false }).look });
  const pools = Array.from({ length: 10 }, open);
  const ids = await Promise.all(
    pools.map(async pool => (await pool.query(`select nextval('order_ids') as id`)).rows[0].id),
  );
  expect(await recogniseHome(bench.db, null, true)).toBeNull();
  const after = await bench.accept(account, 'Sonra', [905550000002]);
  for (const id of [...ids, after]) expect(id - before).toBeGreaterThan(1_000_000_000);
  expect(after - before).toBeLessThan(1_100_000_000);
  await Promise.all(pools.map(pool => pool.end()));
});

test('a dispatcher that misses none of its own writes holds nothing, and the ids jump', async () => {
  await recogniseHome(bench.db, null);
  const before = await bench.accept(account, 'Önce', [905550000001]);
  await bench.db.query('update data_home set timeline = timeline - 1');
  expect(await recogniseHome(bench.db, null, true)).toBeNull();
  const after = await bench.accept(account, 'Sonra', [905550000002]);
  expect(after - before).toBeGreaterThan(1_000_000_000);
  expect(await readHold(bench.db)).toBeNull();
});

test('a start, a restart and a moved folder let no ids jump', async () => {
  const folder = folderOfData();
  await recogniseHome(bench.db, folder);
  const before = await bench.accept(account, 'Önce', [905550000001]);
  const moved = `${folder}-elsewhere`;
  renameSync(folder, moved);
  await recogniseHome(bench.db, moved);
  const look = new FailoverCheck(silentLog, { leases: true }).look;
  await look(bench.db);
  expect((await bench.accept(account, 'Sonra', [905550000002])) - before).toBeLessThan(100);
});

test('data of an earlier moment in the same place are held and give no id again where the operator says so', async () => {
  await recogniseHome(bench.db, null);
  const before = await bench.accept(account, 'Önce', [905550000001]);
  await holdOldData(bench.db, 'dün geceki disk');
  expect(await readHold(bench.db)).toMatchObject({ reason: 'operator', detail: 'dün geceki disk' });
  // Held already, and once more an older copy.
  await holdOldData(bench.db, 'evvelki gün');
  const look = new FailoverCheck(silentLog, { leases: true }).look;
  await look(bench.db);
  const after = await bench.accept(account, 'Sonra', [905550000002]);
  expect(after - before).toBeGreaterThan(2_000_000_000);
  expect(after - before).toBeLessThan(2_100_000_000);
  expect((await bench.db.query(`select lost_at > now() - interval '1 minute' as lost from data_home`)).rows).toEqual([
    { lost: true },
  ]);
  expect((await audit(bench.db)).findings).toEqual([]);
});

test('a copy of a database is held by the first connection that would lease from it; its source goes on', async () => {
  await recogniseHome(bench.db, null);
  await bench.accept(account, 'Yedek', [905550000001]);
  await bench.db.end();
  const connection = ofThisMachine(bench.database.connection);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const options = { name: 'test', onError: () => {}, first: new FailoverCheck(silentLog, { leases: true }).look };
  const admin = await openClient({ ...connection, database: 'postgres' }, options);
  await admin.query(`create database ${name} template ${connection.database} strategy file_copy`);
  const copy = openPool({ ...connection, database: name }, { max: 1, ...options });
  const leased = async (db: Db, owner: number) =>
    (await claimChunks(db, owner, 0, [{ id: account, mark: 100 }], { messages: 500 })).filter(one => one.chunkId);
  const register = `insert into dispatchers (node) values ('x') returning id`;
  const owner = (await copy.query(register)).rows[0].id;
  expect(await leased(copy, owner)).toEqual([]);
  expect(await readHold(copy)).toMatchObject({ reason: 'other-database' });
  await copy.end();
  const source = openPool(connection, { max: 1, ...options });
  const other = (await source.query(register)).rows[0].id;
  expect(await leased(source, other)).toHaveLength(1);
  await source.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

test('while held, orders are accepted and none leaves; released, all leave', async () => {
  await bench.carrier('one');
  await bench.dispatcher();
  expect(await holdDispatch(bench.db, 'deneme')).toBe(true);
  expect(await holdDispatch(bench.db, 'yine')).toBe(false);
  const ids = await Promise.all([1, 2, 3].map(i => bench.accept(account, `Bekle ${i}`, [905550000000 + i])));
  await wait('a carrier to be bound', async () => {
    const { rows } = await bench.db.query(`select 1 from carrier_links where state = 'bound'`);
    return rows.length > 0;
  });
  const messages = await Promise.all(ids.map(id => bench.messages(id)));
  expect(messages.flat().every(one => one.status === 110)).toBe(true);
  expect(await releaseDispatch(bench.db)).toMatchObject({ reason: 'operator', detail: 'deneme' });
  for (const id of ids) expect((await bench.finished(id)).every(one => one.status === 111)).toBe(true);
});

test('what was accepted before the hold can be ended instead: undelivered, credit back; what came later is kept', async () => {
  const before = await Promise.all([1, 2].map(i => bench.accept(account, `Once ${i}`, [905550000000 + i])));
  await holdDispatch(bench.db, '');
  const after = await bench.accept(account, 'Sonra', [905550000009]);
  const { since } = (await readHold(bench.db))!;
  expect(await closeHeld(bench.db, since)).toBe(2);
  for (const id of before) expect((await bench.messages(id)).map(one => one.status)).toEqual([112]);
  expect((await bench.messages(after)).map(one => one.status)).toEqual([110]);
  expect(await audit(bench.db)).toEqual({ ok: true, findings: [] });
});
