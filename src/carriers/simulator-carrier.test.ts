// When the bundled simulator carries: alone, or asked for by name; never as a stand-in for carriers that are down.
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { besideOthers, findCarrier, pauseCarrier, putCarrier } from './carriers.ts';
import { notRunning, offerSimulator, type SimulatorStart } from './simulator-carrier.ts';

const database = await testDatabase();
const db = database.pool;
const key = Buffer.alloc(32, 7);
afterAll(() => database.close());
beforeEach(() => db.query('delete from carriers'));

const byDefault: SimulatorStart = { port: 2775, named: false, ownData: true };
const named: SimulatorStart = { ...byDefault, named: true };
const without: SimulatorStart = { ...byDefault, port: undefined };
const start = (how: SimulatorStart) => offerSimulator(db, key, how);
const addReal = (name = 'gercek') =>
  putCarrier(db, key, name, { host: 'smsc.example.com', port: '2775', 'system-id': 'x', password: 'x' });
const carries = async () => (await findCarrier(db, 'simulator'))?.paused === false;

test('alone it carries, start after start, wherever it listens', async () => {
  await start(byDefault);
  expect(await carries()).toBe(true);
  await start({ ...byDefault, port: 3333 });
  expect(await findCarrier(db, 'simulator')).toMatchObject({ port: 3333, paused: false, priority: 100 });
});

test('from the moment another carrier is added it carries nothing, also after further starts and without the other', async () => {
  await start(byDefault);
  await addReal();
  expect(await findCarrier(db, 'simulator')).toMatchObject({
    paused: true,
    pauseReason: expect.stringContaining('carrier resume simulator'),
  });
  await start(byDefault);
  await start(without);
  await start(byDefault);
  expect(await carries()).toBe(false);
  await db.query(`delete from carriers where name = 'gercek'`);
  await start(byDefault);
  expect(await carries()).toBe(false);
});

test('an installation that had both before this rule carries nothing through it from the next start on', async () => {
  await start(byDefault);
  await addReal();
  await db.query('update carriers set paused = false, pause_reason = null');
  await start({ ...without, ownData: false });
  expect(await carries()).toBe(false);
  expect((await findCarrier(db, 'gercek'))?.paused).toBe(false);
});

test('resumed by name it carries beside others, and that choice outlives starts', async () => {
  await start(byDefault);
  await addReal();
  await pauseCarrier(db, 'simulator', false);
  await addReal('ikinci');
  expect(await carries()).toBe(true);
  await start(without);
  expect(await carries()).toBe(false);
  await start(byDefault);
  expect(await carries()).toBe(true);
});

test('named in the setting it carries beside others for as long as it is named', async () => {
  await start(named);
  await addReal();
  expect(await carries()).toBe(true);
  await start(named);
  expect(await carries()).toBe(true);
  await start(byDefault);
  expect(await carries()).toBe(false);
  await start(named);
  expect(await carries()).toBe(true);
});

test('paused by the operator it stays paused, however the program is started', async () => {
  await start(named);
  for (const reason of ['operator', 'bakim', null]) {
    await pauseCarrier(db, 'simulator', true, reason);
    for (const how of [named, without, byDefault, named]) await start(how);
    expect(await findCarrier(db, 'simulator')).toMatchObject({ paused: true, pauseReason: reason });
    await pauseCarrier(db, 'simulator', false);
    expect(await carries()).toBe(true);
  }
});

test('over a shared database a node without simulators leaves that of another node alone, and puts to rest what nobody runs', async () => {
  const shared = { ownData: false };
  await start({ ...named, ...shared });
  await db.query(
    `insert into carrier_links (carrier_id, slot, dispatcher_id, state) select id, 0, 1, 'bound' from carriers`,
  );
  await start({ ...without, ...shared });
  expect(await carries()).toBe(true);
  await addReal();
  expect(await carries()).toBe(true);
  await db.query('delete from carrier_links');
  await start({ ...without, ...shared });
  expect(await carries()).toBe(false);
  await start({ ...named, ...shared });
  expect(await carries()).toBe(true);
});

test('the console tells its reasons in Turkish', () => {
  const texts = readFileSync(new URL('../../panel/src/text/tr/staff.ts', import.meta.url), 'utf8');
  for (const reason of [notRunning, besideOthers]) expect(texts).toContain(`'${reason}'`);
});

test('a change of a carrier that exists does not touch it', async () => {
  await addReal();
  await start(byDefault);
  await pauseCarrier(db, 'simulator', false);
  await db.query(`update carriers set wanted_by = null where name = 'simulator'`);
  await putCarrier(db, key, 'gercek', { rate: '10' });
  expect(await carries()).toBe(true);
});
