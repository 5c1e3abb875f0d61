// Random faults (processes killed or frozen, connections cut, the disk filled) while customers send to two nodes: one with the database, on
// a disk that can be full; the other behind a failing network, with a clock that is ten minutes ahead and little memory. Customers and both
// carriers keep their own records, which are compared with the reports at the end. `npm run chaos -- --faults 1000 --messages 1000000`
// for a longer run, `--seed N` to repeat one.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { releaseQuarantined } from '../../src/queue/quarantined.ts';
import { IndependentCarrier } from '../support/carriers/independent-carrier.ts';
import { outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { brand } from '../support/customers/campaign.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { smallDisk } from '../support/program/small-disk.ts';
import { wait } from '../support/run/wait.ts';
import { Customers, slowPrefix } from './customers.ts';
import { nemesis, randomFrom, type Victims } from './nemesis.ts';
import { Submitter } from './submitter.ts';

const faultsWanted = Number(process.env['PEYK_CHAOS_FAULTS'] ?? 40);
const messagesWanted = Number(process.env['PEYK_CHAOS_MESSAGES'] ?? 20_000);
const betweenFaultsMs = 1_000;
// Minutes in a long run.
const fullMs = faultsWanted >= 500 ? 180_000 : 10_000;
const granted = 50_000_000;
const slowAnswers = { answerMs: 400, receiptMs: 15_000 };
const wrongClock = fileURLToPath(new URL('../support/program/skewed-clock.mjs', import.meta.url));

async function battlefield(): Promise<Victims> {
  const shared = {
    PEYK_SIMULATORS: '',
    PEYK_SMPP_PORT: '0',
    PEYK_UNSURE_HOLD_SECONDS: '2',
    PEYK_LEASE_SECONDS: '2',
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const disk = smallDisk(1_500 + Math.ceil(messagesWanted / 400));
  if (!disk) console.log('the disk cannot be filled: a small one is mounted by root on Linux only');
  const first = await startProgram({
    env: { ...shared, PEYK_WORKERS: '2' },
    ...(disk ? { data: join(disk.folder, 'data') } : {}),
  });
  const proxy = new DatabaseProxy(first.data);
  const second = await startProgram({
    env: {
      ...shared,
      DATABASE_URL: await proxy.url(),
      NODE_OPTIONS: `--max-old-space-size=96 --import ${wrongClock}`,
      PEYK_TEST_SKEW_MS: '600000',
    },
  });
  // The carrier keeps every message, because its record is compared at the end.
  const carrier = await outsideCarrier({ messagesMax: 10_000_000 });
  await carrier.serve(first, 'outside', '--binds', '2');
  const independent = new IndependentCarrier(slowAnswers);
  await independent.serve(first, 'independent', slowPrefix);
  return { first, second, proxy, carrier, independent, disk };
}

async function strikes(victims: Victims, customers: Customers, random: () => number): Promise<string[]> {
  const strike = nemesis(victims, random, fullMs);
  const done: string[] = [];
  while (done.length < faultsWanted || customers.messages < messagesWanted) {
    await pause(betweenFaultsMs * (0.5 + random()));
    done.push(await strike());
    if (done.length % 25 === 0) console.log(`${done.length} faults, ${customers.messages} messages accepted`);
  }
  return done;
}

/**
 * Waits until every message has ended. Random kills sooner or later hit two dispatchers that work on the same chunk, which quarantines it:
 * it is released as an operator would do. Returns how many were released.
 */
async function ended(program: Program, maxMs: number): Promise<number> {
  let released = 0;
  await wait(
    'everything accepted to end',
    async () => {
      const db = await program.db();
      const { rows } = await db.query(
        'select distinct m.order_id as id from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id) where c.lost >= 2',
      );
      for (const { id } of rows) released += (await releaseQuarantined(db, Number(id))).length;
      const open = await db.query(`select 1 from orders where state in ('scheduled', 'sending') limit 1`);
      return open.rowCount === 0;
    },
    maxMs,
  );
  return released;
}

type Order = { id: number; state: string; total: number; resent: number };

/** Compares the phones with the reports, message by message. */
async function disagreements(victims: Victims, customers: Customers, orders: Map<string, Order>): Promise<string[]> {
  const { accepted } = customers;
  const { carrier, independent } = victims;
  const found = await (await victims.first.db()).query(
    `select number, status, reason from messages where order_id = any ($1)`,
    [accepted.map(one => one.id)],
  );
  const ends = new Map<string, { status: number; reason: number }>();
  for (const one of found.rows as { number: number; status: number; reason: number }[])
    ends.set(String(one.number).slice(2), one);
  const copies = await carrier.copies(accepted.flatMap(one => one.numbers));
  const most = { code: 2, bulk: 2, slow: 2, scheduled: 2, submits: 2, campaign: 1, cancelled: 0 };
  const wrong: string[] = [];
  for (const { id, kind, numbers } of accepted) {
    let twice = 0;
    for (const number of numbers) {
      const { status, reason } = ends.get(number)!;
      const shown = copies.get(number)! + independent.copies(number);
      if (status === 111 ? shown === 0 : shown > 0 && reason !== 15)
        wrong.push(`${kind} ${id} ${number}: ${status}/${reason}, shown ${shown}`);
      if (shown > most[kind]) wrong.push(`${kind} ${id} ${number}: shown ${shown} times`);
      if (shown > 1) twice++;
    }
    const { resent } = orders.get(id)!;
    if (twice > resent) wrong.push(`${kind} ${id}: ${twice} shown twice, ${resent} counted`);
  }
  return wrong;
}

test('under random faults the records of customers and the phones agree with the reports', async () => {
  const seed = Number(process.env['PEYK_CHAOS_SEED'] ?? Math.floor(Math.random() * 1e9));
  console.log(`PEYK_CHAOS_SEED=${seed}`);
  const victims = await battlefield();
  const { first, second, carrier, independent } = victims;
  const account = await first.account({ credits: granted, senders: ['PEYK'], brand, set: { rate: '20000' } });
  const customers = new Customers([account, new Customer(second, account.id, account.key, account.hash)]);
  const submitter = await Submitter.of(account.id, [first, second], customers.numbers);
  const credit = await account.balance();
  const sending = Promise.all([customers.run(), submitter.run()]);
  const done = await strikes(victims, customers, randomFrom(seed));
  customers.stopped = true;
  submitter.stopped = true;
  await sending;
  const story = `seed ${seed}: ${done.join(', ')}`;
  const { accepted, messages, unknown } = customers;
  console.log(`${story}; ${accepted.length} orders, ${messages} messages, ${unknown} not answered`);
  const released = await ended(first, 180_000 + messages * 2);
  if (released > 0) console.log(`${released} chunks were set aside and let go on`);

  expect(customers.refused, story).toEqual([]);
  expect(await first.audit(), story).toEqual({ ok: true, findings: [] });
  const db = await first.db();
  const submits = await submitter.stored(db);
  console.log(`${submitter.answered.size} submits, ${submitter.unknown} not answered, ${submits.orders.length} orders`);
  expect(submits.wrong, story).toEqual([]);
  expect(submits.orders.length, story).toBeLessThan(submitter.answered.size);
  await submitter.allReported();
  accepted.push(...submits.orders);
  const stored = await db.query(`select o.id, o.state, o.total, o.resent from orders o`);
  const orders = new Map((stored.rows as Order[]).map(one => [String(one.id), one]));
  // Every accepted order exists; any other one was not answered, and is complete.
  const missing = accepted.filter(one => orders.get(one.id)?.total !== one.numbers.length);
  expect(missing, story).toEqual([]);
  expect(orders.size, story).toBeLessThanOrEqual(accepted.length + unknown);
  expect((await db.query('select 1 from chunks')).rowCount, story).toBe(0);
  expect(await disagreements(victims, customers, orders), story).toEqual([]);
  for (const { kind, numbers, at } of accepted.filter(one => one.kind === 'scheduled'))
    for (const shown of await carrier.phone(numbers[0]!))
      expect(Date.parse(shown.receivedAt), `${kind}, ${story}`).toBeGreaterThanOrEqual(at);
  // Every text has one part, so the balance was charged once per delivered message.
  const delivered = await db.query('select count(*)::int as n from messages where status = 111');
  expect(credit - (await account.balance()), story).toBe(delivered.rows[0].n);
  expect(independent.air.size, story).toBeGreaterThan(0);
});
