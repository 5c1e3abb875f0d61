// A dispatcher that is frozen (a paused machine, a debugger, a full disk under its swap) for longer than its lease, with a
// second one beside it over the same database: the second takes over, and the first does no harm when it wakes.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { testPlace } from '../support/database/citus.ts';
import type { TestPlace } from '../support/database/database.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

// More than one dispatcher takes on at once (4,000).
const recipients = 6_000;

let database: TestPlace;
let first: Program;
let second: Program;
/** The dispatcher of the first, as the database knows it. */
let firstId: number;
let carrier: OutsideCarrier;
let customer: Customer;

beforeAll(async () => {
  database = await testPlace();
  const env = {
    DATABASE_URL: database.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '2',
    PEYK_UNSURE_HOLD_SECONDS: '1',
    PEYK_WORKERS: '1',
  };
  first = await startProgram({ env, args: ['--roles', 'api,dispatch'] });
  await onlyFirst();
  carrier = await outsideCarrier();
  await carrier.serve(first, 'outside', '--binds', '2');
  second = await startProgram({ env, args: ['--roles', 'dispatch'] });
  customer = await first.account({ credits: 50_000, set: { rate: '100000' } });
});

afterAll(async () => {
  await Promise.all([first?.remove(), second?.remove()]);
  await database?.close();
});

/** Call while the second does not run. */
async function onlyFirst(): Promise<void> {
  const { rows } = await database.pool.query('select id from dispatchers');
  expect(rows).toHaveLength(1);
  firstId = rows[0].id as number;
}

/** As the carrier counts them and as the dispatchers publish them: a changed carrier binds anew, and binds are shared. */
async function bindsOf(dispatchers: number, count: number): Promise<void> {
  await wait(`${count} binds of ${dispatchers}`, async () => {
    const { rows } = await database.pool.query(
      `select count(*) as binds, count(distinct dispatcher_id) as owners from carrier_links where state = 'bound'`,
    );
    const { binds, owners } = rows[0] as { binds: number; owners: number };
    return binds === count && owners === dispatchers && (await carrier.stats()).sessions === count;
  });
}

/**
 * Freezes the first program's dispatcher in the middle of an order, with work in its hands, until the second has declared it
 * dead and finished that work; then wakes it.
 */
async function frozenMidway(text: string, series: number): Promise<void> {
  const numbers = plainNumbers(recipients, series);
  const before = await carrier.stats();
  // Slow enough that both are at work, and more than one of them takes on at once.
  await carrier.fault('answer-late', 60, { delayMs: 100 });
  const id = await customer.send(text, numbers);
  await wait('a part to be on the phones', async () => (await carrier.stats()).delivered > before.delivered + 300);
  await wait('the first to hold some', async () => {
    const { rowCount } = await database.pool.query('select 1 from chunks where lease_owner = $1', [firstId]);
    return rowCount! > 0;
  });
  const pid = first.signal('dispatch', 'SIGSTOP');
  await carrier.fault('answer-late', 0);
  second.log.length = 0;
  let atWaking: number;
  try {
    await wait('it to be declared dead', () => second.log.some(line => line.includes('its work was given back')));
    // Not yet the receipts: the carrier waits for the frozen one to acknowledge its share of them.
    await wait('the other to finish the work', async () => {
      return (
        (
          await database.pool.query(
            `select 1 from chunks where account_id = (select account_id from orders where id = $1)
             union all select 1 from unsure where decide_at is not null`,
            [id],
          )
        ).rowCount === 0
      );
    });
    atWaking = (await carrier.stats()).delivered;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const report = await customer.finished(id);
  expect(report).toMatchObject({ status: 114, delivered: recipients });
  await wait('it to notice', () => first.log.some(line => line.includes('declared dead by the others')));
  first.log.length = 0;
  const { rows } = await database.pool.query('select resent from orders where id = $1', [id]);
  const { duplicates, delivered } = await carrier.stats();
  expect(delivered).toBe(atWaking);
  expect(duplicates - before.duplicates).toBeLessThanOrEqual(rows[0].resent as number);
  const copies = await carrier.copies(numbers);
  expect([...copies.values()].filter(count => count < 1 || count > 2)).toEqual([]);
  expect(await first.audit()).toEqual({ ok: true, findings: [] });
}

test('with two binds, one each: the other finishes its work, and what wakes writes nothing of it', async () => {
  await bindsOf(2, 2);
  await frozenMidway('Donmus gonderici', 0);
  const again = await customer.send('Herkes uyanik', plainNumbers(500, 8));
  expect((await customer.finished(again)).delivered).toBe(500);
});

test('with one bind, held by the frozen one: the other takes the bind over', async () => {
  await second.stop();
  await onlyFirst();
  await first.cli('carrier', 'add', '--name', 'outside', '--binds', '1');
  await bindsOf(1, 1);
  await second.start();
  await frozenMidway('Tek baglanti', 2);
});

test('declared dead and alive again, it takes part as before', async () => {
  const id = await customer.send('Son', plainNumbers(1_000, 3));
  expect((await customer.finished(id)).delivered).toBe(1_000);
  const { rows } = await database.pool.query('select count(*) as n from dispatchers');
  expect(rows[0].n).toBe(2);
  expect(await first.audit()).toEqual({ ok: true, findings: [] });
});
