// From 0.2.0 to this release with all nodes stopped, in the middle of campaigns, with messages in doubt, receipts to come, schedules and
// accounts in other cells; one of them is a schema of a Citus cluster, where a cluster is given. A carrier outside of both releases records what
// the phones got.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test as testOf } from 'vitest';
import { audit } from '../../src/audit/invariants.ts';
import { type Db, openPool } from '../../src/db/db.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { clusterServers, clusterUrl, moveSchema, newSchema, removeSchema } from '../support/database/citus.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { builtRelease, isInHistory, lastBeforeStop } from '../support/program/previous-release.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const credits = 50_000;
const welcome = 100;
const size = 1_500;
const singles = 40;

// A copy without history (a shallow clone that cannot be deepened) has no earlier program to test.
const isHere = isInHistory(lastBeforeStop);
const test = testOf.skipIf(!isHere);

let home: TestDatabase;
let cell: TestDatabase;
const { schema, address } = newSchema();
/** By the number of the cell. */
let places: Db[];
let carrier: OutsideCarrier;
let env: Record<string, string>;
let old: Program;
let now: Program;

/** An account with its orders: what was answered 200. */
type Sent = { customer: Customer; orders: { id: string; numbers: string[] }[]; never: string };
let all: Sent[];

beforeAll(async () => {
  if (!isHere) return;
  [home, cell] = await Promise.all([testDatabase({ empty: true }), testDatabase({ empty: true })]);
  carrier = await outsideCarrier();
  env = {
    DATABASE_URL: home.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '5',
    PEYK_UNSURE_HOLD_SECONDS: '3',
  };
  old = await startProgram({ root: builtRelease(lastBeforeStop), env });
  await old.cli('cell', 'add', cell.url);
  places = [home.pool, cell.pool];
  if (clusterUrl) {
    await old.cli('distribute', address);
    // Through the coordinator: the objects of this release do not fit its tables yet.
    places.push(poolOf(address));
  }
  await carrier.serve(old, 'outside', '--binds', '6');
});

const poolOf = (connectionString: string) =>
  openPool({ connectionString }, { max: 2, name: 'peyk test', onError: () => {} });

afterAll(async () => {
  await Promise.all([old?.remove(), now?.remove()]);
  await places?.[2]?.end();
  if (clusterUrl && places) await removeSchema(schema);
  await Promise.all([home?.close(), cell?.close()]);
});

async function openIn(place: number): Promise<Customer> {
  type Opened = { id: string; key: string; hash: string };
  const given = await old.cli<Opened>('account', 'create', '--name', `Hesap ${place}`, '--cell', String(place));
  await old.cli('credit', 'grant', given.id, String(credits), '--reason', 'test');
  await old.cli('sender', 'approve', given.id, 'PEYK');
  await old.cli('account', 'set', given.id, 'rate=10000');
  return new Customer(old, given.id, given.key, given.hash);
}

/** The same account at another program. */
function at(program: Program, { id, key, hash }: Customer): Customer {
  return new Customer(program, id, key, hash);
}

/** A moment on Turkey's clock. */
function inSeconds(seconds: number): string {
  return new Date(Date.now() + (3 * 3_600 + seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Ends in 9005: delivered, with a receipt after five seconds. */
const slow = (series: number) =>
  Array.from({ length: 20 }, (_, i) => String(5_560_009_005 + (series * 20 + i) * 10_000));

async function keepBusy(customer: Customer, series: number): Promise<Sent> {
  const send = async (text: string, numbers: string[], members: object = {}) => {
    const id = await customer.send(text, numbers, { sender: 'PEYK', ...members });
    return { id, numbers };
  };
  const orders = [
    await send('Bitti', plainNumbers(20, series)),
    await send('Alındısı gecikir', slow(series)),
    await send('Çok', plainNumbers(size, series + 1)),
    ...(await Promise.all(plainNumbers(singles, series + 2).map((one, i) => send(`Kodunuz ${i}`, [one])))),
  ];
  const { id: never } = await send('Hiç', plainNumbers(5, series + 3), { sendDateTime: inSeconds(86_400) });
  const timed = await send('Sonra', plainNumbers(30, series + 4), { sendDateTime: inSeconds(20) });
  return { customer, orders: [...orders, timed], never };
}

test('the release before is stopped in the middle of its work', async () => {
  const customers: Customer[] = [];
  for (const nth of places.keys()) customers.push(await openIn(nth));
  const [first] = customers;
  await first!.finished(await first!.send('İlk', plainNumbers(1, 300), { sender: 'PEYK' }));
  await carrier.fault('answer-late', 15, { delayMs: 1_500 });
  all = await Promise.all(customers.map((one, nth) => keepBusy(one, 10 + 10 * nth)));
  await wait('messages to be in flight in all cells', async () => {
    const flying = await Promise.all(
      places.map(async one => (await one.query('select 1 from chunks where mark > 0 and lease_owner > 0')).rowCount),
    );
    return flying.every(n => n! > 0) && (await carrier.stats()).submits > 100;
  });
  old.killAll();
  await old.exited();
});

test('this release starts on what was left, and everything that was answered 200 comes to its end', async () => {
  if (clusterUrl) {
    await places[2]!.end();
    places[2] = poolOf(`${address}&citus=on`);
    await expect(places[2].query('select 1')).rejects.toThrow(`the schema ${schema} is not migrated`);
  }
  now = await startProgram({ env });
  for (const { customer, orders } of all) for (const { id } of orders) await at(now, customer).finished(id, 90_000);
});

test('nothing was lost: what is delivered was on the phone, and nothing was there more than twice', async () => {
  for (const { customer, orders } of all) {
    const statuses = new Map<string, number>();
    for (const { id } of orders)
      for (const [number, status] of await at(now, customer).statuses(id)) statuses.set(number.slice(3), status);
    const numbers = orders.flatMap(one => one.numbers);
    expect([...statuses.keys()].sort()).toEqual(numbers.toSorted());
    const copies = await carrier.copies(numbers);
    expect(numbers.filter(one => statuses.get(one) === 111 && copies.get(one) === 0)).toEqual([]);
    expect(numbers.filter(one => copies.get(one)! > 2)).toEqual([]);
    // One-time codes in doubt were sent once more, so none of them ends as unknown.
    expect(numbers.filter(one => statuses.get(one) !== 111)).toEqual([]);
  }
});

test('a schedule of the release before is still due later, and can be cancelled', async () => {
  for (const { customer, never } of all) {
    const here = at(now, customer);
    expect((await here.call('get-report', { order: { id: never } })).code).toBe(456);
    expect((await here.call('cancel-order', { order: { id: never } })).code).toBe(200);
  }
});

test('nothing was charged twice, and the audit of every cell finds nothing', async () => {
  for (const [i, { customer, orders }] of all.entries()) {
    const sent = orders.reduce((sum, one) => sum + one.numbers.length, 0) + (i === 0 ? 1 : 0);
    expect(await at(now, customer).balance()).toBe(credits + welcome - sent);
  }
  for (const db of places) expect(await audit(db)).toEqual({ ok: true, findings: [] });
  expect(now.log.filter(line => /"level":(50|60)|does not exist/.test(line) && !line.includes('DANGER'))).toEqual([]);
});

testOf.runIf(isHere && clusterUrl)('the cluster moves a schema that the release before distributed', async () => {
  const coordinator = poolOf(clusterUrl);
  try {
    const target = (await clusterServers(coordinator, schema)).find(one => !one.holds)!;
    await moveSchema(coordinator, schema, target);
    const { customer } = all[2]!;
    const id = await wait('an order to be taken', async () => {
      const { code, response } = await at(now, customer).trySend('Taşındı', plainNumbers(1, 60), { sender: 'PEYK' });
      return code === 200 ? response.order!.id : null;
    });
    expect(await at(now, customer).finished(id)).toMatchObject({ delivered: 1 });
  } finally {
    await coordinator.end();
  }
});

test('from now on the release before refuses the database, and this one restarts', async () => {
  expect(await now.stop()).toBe(0);
  await expect(old.start()).rejects.toThrow('belongs to a newer Peyk');
  await now.start();
  const { customer } = all[1]!;
  const id = await at(now, customer).send('Yeni', plainNumbers(3, 50), { sender: 'PEYK' });
  expect(await at(now, customer).finished(id)).toMatchObject({ delivered: 3 });
});
