// The rate of an account over several processes, measured by the carrier: two dispatchers with one bind each, an account that
// may send 100 a second. The carrier records the bind and the time of each submit.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bind, ScriptedCarrier } from '../support/carriers/scripted-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { testPlace } from '../support/database/citus.ts';
import type { TestPlace } from '../support/database/database.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const rate = 100;
// A tenth of a second's worth, at least 10, may leave at once, from the account's clock and from each process; small orders may
// borrow up to a second ahead.
const burst = 10;
const borrowed = rate;
const processes = 2;

let database: TestPlace;
let carrier: ScriptedCarrier;
let first: Program;
let second: Program;
let customer: Customer;
const seen: { at: number; bind: Bind }[] = [];

beforeAll(async () => {
  database = await testPlace();
  carrier = await new ScriptedCarrier().start();
  carrier.onSubmit = submit => {
    seen.push({ at: performance.now(), bind: submit.bind });
    const id = `hizli-${seen.length}`;
    carrier.answer(submit, id);
    carrier.receipt(submit, id).catch(() => {});
  };
  const env = {
    DATABASE_URL: database.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '4',
  };
  first = await startProgram({ env, args: ['--roles', 'api,dispatch'] });
  second = await startProgram({ env, args: ['--roles', 'dispatch'] });
  const address = ['--host', '127.0.0.1', '--port', String(carrier.port), '--system-id', 'peyk', '--password', 'peyk'];
  await first.cli('carrier', 'add', '--name', 'scripted', ...address, '--binds', '2');
  customer = await first.account({ credits: 5_000, set: { rate: String(rate) } });
});

afterAll(async () => {
  await Promise.all([first?.remove(), second?.remove()]);
  await carrier?.stop();
  await database?.close();
});

/** The largest lead over the rate at any moment. Delays of a busy machine make messages later, never earlier. */
function ahead(since: number): number {
  return Math.max(...seen.map(({ at }, i) => i + 1 - (rate * (at - since)) / 1_000));
}

test('binds are shared: each of two dispatchers gets one', async () => {
  await wait('one bind each', async () => {
    const { rows } = await database.pool.query(
      `select count(*) as binds, count(distinct dispatcher_id) as owners from carrier_links where state = 'bound'`,
    );
    return rows[0].binds === 2 && rows[0].owners === 2;
  });
});

test('two dispatchers together send no faster for an account than one may', async () => {
  const since = performance.now();
  const orders = await Promise.all(
    Array.from({ length: 50 }, (_, i) => customer.send(`Hizli ${i}`, plainNumbers(8, i), { sender: 'APITEST' })),
  );
  for (const id of orders) expect((await customer.finished(id)).delivered).toBe(8);
  expect(seen).toHaveLength(400);
  expect(new Set(seen.map(one => one.bind)).size).toBe(processes);
  expect(ahead(since)).toBeLessThanOrEqual(burst * (1 + processes) + borrowed);
});
