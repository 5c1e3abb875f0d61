// A busy account moves to another database server (a schema of a Citus cluster, where one is given) and back repeatedly while it sends
// singles and larger orders, and so does a neighbour, who must not notice. A carrier outside the program records what the phones got, a webhook receiver what the
// customer was sent.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HookReceiver, startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/server.ts';
import { silentLog } from '../../src/log.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { SteadyTraffic } from '../support/customers/steady-traffic.ts';
import { clusterUrl, newSchema, removeSchema } from '../support/database/citus.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' };
// Twice there and back; PEYK_MOVES=10 in a long run.
const moves = Number(process.env['PEYK_MOVES'] ?? 4);
const orderSize = 300;
const credits = 50_000;

let servers: EmbeddedDatabase[];
let program: Program;
let carrier: OutsideCarrier;
let hook: HookReceiver;
let customer: Customer;
let neighbour: Customer;
const traffic = new SteadyTraffic(1, 150);
const besides = new SteadyTraffic(2, 150);
const large: { id: string; numbers: string[] }[] = [];

const urlOf = ({ connection: { host, user, database } }: EmbeddedDatabase) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

beforeAll(async () => {
  const folder = temporaryFolder();
  const start = (name: string) =>
    startEmbedded({ dataDir: join(folder, name), log: silentLog, settings, reserveBytes: 0 });
  servers = await Promise.all(['home', 'cell'].map(start));
  hook = await startHookReceiver();
  atEndOfFile(() => hook.stop());
  program = await startProgram({
    env: {
      DATABASE_URL: urlOf(servers[0]!),
      PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
      PEYK_SIMULATORS: '',
      PEYK_WORKERS: '1',
      PEYK_ALLOW_PRIVATE_WEBHOOKS: 'on',
    },
  });
  if (clusterUrl) await distribute();
  else await program.cli('cell', 'add', urlOf(servers[1]!));
  carrier = await outsideCarrier();
  await carrier.serve(program, 'outside', '--binds', '4');
  customer = await program.account({ credits, senders: ['PEYK'], set: { rate: '100000' } });
  await program.cli('account', 'set', customer.id, `webhook=${hook.url}`);
  neighbour = await program.account({ credits, senders: ['PEYK'], set: { rate: '100000' } });
});

async function distribute(): Promise<void> {
  const { schema, address } = newSchema();
  await program.cli('distribute', address);
  atEndOfFile(() => removeSchema(schema));
}

afterAll(async () => {
  await traffic.stop();
  await besides.stop();
  await program?.remove();
  for (const server of servers ?? []) await server.stop();
});

test('a busy account moves there and back again and again: calls go on, nobody else waits, and an old report stays what it was', async () => {
  const first = await customer.send('İlk {{to}}', plainNumbers(20, 40), { sender: 'PEYK' });
  await customer.finished(first);
  const report = await customer.report(first);
  traffic.start([customer]);
  besides.start([neighbour]);
  const waited: number[] = [];
  for (let i = 0; i < moves; i++) {
    const numbers = plainNumbers(orderSize, 50 + i);
    large.push({ id: await customer.send(`Sira ${i}`, numbers, { sender: 'PEYK' }), numbers });
    const to = 1 - (i % 2);
    const moved = await program.cli<{ to: number; waitedSeconds: number }>('account', 'move', customer.id, String(to));
    expect(moved.to).toBe(to);
    waited.push(moved.waitedSeconds);
    await traffic.more(10);
    await besides.more(10);
    expect(await customer.report(first)).toEqual(report);
  }
  await traffic.stop();
  await besides.stop();
  console.log(
    'seconds in which the account waited',
    waited,
    'accepted',
    traffic.accepted.length,
    'others',
    traffic.others,
    'slowest call of the account and of the neighbour, in seconds',
    [traffic.slowestMs / 1_000, besides.slowestMs / 1_000],
  );
  expect([...traffic.others.keys()].filter(status => status !== 503)).toEqual([]);
  expect([...besides.others]).toEqual([]);
});

test('every order that was answered 200 exists once and was sent once', async () => {
  for (const { id } of large) expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: orderSize });
  const singles = [...traffic.accepted, ...besides.accepted];
  const ids = singles.map(one => Number(one.id));
  await wait('the singles to be delivered', async () => {
    const text = 'select order_id, status from messages where order_id = any ($1)';
    const { rows } = await (await program.db()).query(text, [ids]);
    return rows.length === ids.length && rows.every(row => row.status === 111);
  });
  const numbers = [...singles.map(one => one.number), ...large.flatMap(one => one.numbers)];
  const copies = await carrier.copies(numbers);
  expect(numbers.filter(one => copies.get(one) !== 1)).toEqual([]);
});

test('what was spent is what was delivered, and the ledgers of both cells are right', async () => {
  const { rows } = await (await program.db()).query(
    'select sum(consumed)::int as spent from orders where account_id = $1',
    [customer.id],
  );
  expect(await customer.balance()).toBe(credits + 100 - rows[0].spent);
  expect(await program.cli('audit')).toEqual({ ok: true, findings: [] });
});

test('the customer got events of every message, first that it was accepted, then how it ended', async () => {
  type Posted = { report: { id: number; status: string } };
  const events = () => {
    const events = new Map<number, string[]>();
    const deliveries = new Set<string>();
    for (const call of hook.calls) {
      const delivery = String(call.headers['x-peyk-delivery']);
      if (deliveries.has(delivery)) continue;
      deliveries.add(delivery);
      const { id, status } = (JSON.parse(call.body) as Posted).report;
      events.set(id, [...(events.get(id) ?? []), status]);
    }
    return events;
  };
  const expected = 20 + traffic.accepted.length + large.length * orderSize;
  const known = () => {
    const odd = [...events()].filter(([, events]) => events.join() !== 'accepted,delivered');
    return { messages: events().size, odd: odd.slice(0, 5) };
  };
  await expect.poll(known, { timeout: 90_000 }).toEqual({ messages: expected, odd: [] });
});
