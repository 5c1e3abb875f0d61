// Nodes that differ: one takes orders, another sends them, over one database.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { testPlace } from '../support/database/citus.ts';
import type { TestPlace } from '../support/database/database.ts';
import { valueIn } from '../support/program/metrics.ts';
import { type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let database: TestPlace;
let front: Program;
let back: Program;
let carrier: OutsideCarrier;
let env: Record<string, string>;

beforeAll(async () => {
  database = await testPlace();
  env = {
    DATABASE_URL: database.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '2',
    PEYK_UNSURE_HOLD_SECONDS: '1',
  };
  front = await startProgram({ env, args: ['--roles', 'api'] });
  back = await startProgram({ env: { ...env, PEYK_WATCH_PORT: '0' }, args: ['--roles', 'dispatch'] });
  carrier = await outsideCarrier();
  await carrier.serve(back, 'outside');
});

afterAll(async () => {
  await Promise.all([front?.remove(), back?.remove()]);
  await database?.close();
});

test('a node with the role api and one with the role dispatch work together', async () => {
  expect(front.processes().map(one => one.role)).toEqual(['api']);
  expect(back.processes().map(one => one.role)).toEqual(['dispatch']);
  const customer = await front.account({ credits: 1_000, set: { rate: '10000' } });
  const id = await customer.send('Iki dugum', plainNumbers(1_000));
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1_000 });
  expect(await front.audit()).toEqual({ ok: true, findings: [] });
});

test('a node without the API serves health and metrics on a port of their own', async () => {
  const ask = (path: string) => fetch(`${back.ready.watch}${path}`);
  const [live, ready, other] = await Promise.all([ask('/health/live'), ask('/health/ready'), ask('/panel/')]);
  expect([live.status, ready.status, other.status]).toEqual([200, 200, 404]);
  expect(await live.json()).toEqual({ live: true, stalled: [] });
  const sent = async () => valueIn(await (await ask('/metrics')).text(), 'peyk_submitted_total', 'carrier="outside"');
  await wait('what it sent', async () => (await sent()) === 1_000);
});

test('orders taken while no node dispatches are sent by the next one that does', async () => {
  expect(await back.stop()).toBe(0);
  const customer = await front.account({ credits: 1_000 });
  const id = await customer.send('Bekle', plainNumbers(10, 1));
  expect((await customer.report(id)).waiting).toBe(10);
  await back.start();
  expect((await customer.finished(id)).delivered).toBe(10);
  await wait('one dispatcher', async () => (await database.pool.query('select 1 from dispatchers')).rowCount === 1);
});

/** Longer under way than a kill takes. */
const size = 8_000;

test('three nodes share the binds evenly, and whichever of them is killed, every message is sent and nothing is counted twice', async () => {
  const third = await startProgram({ env, args: ['--roles', 'api,dispatch'] });
  const fourth = await startProgram({ env, args: ['--roles', 'dispatch,webhooks'] });
  await carrier.serve(back, 'outside', '--binds', '7');
  await evenly(3);
  const customer = await third.account({ credits: 30_000, set: { rate: '100000' } });
  const { duplicates } = await carrier.stats();
  const ids: string[] = [];
  for (const [at, victim] of [back, third, fourth].entries()) {
    const before = await carrier.stats();
    ids.push(await customer.send(`Devral ${at}`, plainNumbers(size, 2 + at)));
    await wait('a part to be on the phones', async () => (await carrier.stats()).delivered > before.delivered + 1_500);
    victim.killAll();
    await victim.exited();
    await victim.start();
  }
  let delivered = 0;
  for (const id of ids) delivered += (await customer.finished(id)).delivered;
  const { rows } = await database.pool.query<{ resent: number; twice: number }>(
    `select sum(resent)::int as resent, (select count(*)::int from messages where order_id = any ($1) and status = 112 and reason = 15) as twice
     from orders where id = any ($1)`,
    [ids],
  );
  const { resent, twice } = rows[0]!;
  // A message that one node sent again before it was killed too is unsure for the second time, and is not sent a third time.
  expect(delivered + twice).toBe(ids.length * size);
  expect(twice).toBeLessThanOrEqual(resent);
  expect((await carrier.stats()).duplicates - duplicates).toBeLessThanOrEqual(resent);
  expect(await front.audit()).toEqual({ ok: true, findings: [] });
  await evenly(3);
  await Promise.all([third.remove(), fourth.remove()]);
});

/** No two live dispatchers differ by more than one bind, and none is unused. */
async function evenly(nodes: number): Promise<void> {
  await wait('binds to be shared evenly', async () => {
    const { rows } = await database.pool.query(`
      select count(*) filter (where state = 'bound')::integer as binds from carrier_links
      where dispatcher_id in (select id from dispatchers) group by dispatcher_id`);
    const binds = rows.map(one => one.binds as number);
    const [fewest, most] = [Math.min(...binds), Math.max(...binds)];
    return binds.length === nodes && most - fewest <= 1 && binds.reduce((sum, one) => sum + one, 0) === 7;
  });
}
