// The database fails over to its standby while the program works, again and again. What the phones got is recorded by a carrier
// outside of it all.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBases } from '../../src/backup/catalogue.ts';
import { folderStore } from '../../src/backup/folder-store.ts';
import { readHold } from '../../src/queue/dispatch-hold.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { SteadyTraffic } from '../support/customers/steady-traffic.ts';
import { ReplicatedServers } from '../support/database/replicated-servers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

const orderSize = 2_000;

let servers: ReplicatedServers;
let program: Program;
let carrier: OutsideCarrier;
let customer: Customer;
const traffic = new SteadyTraffic(1);
const backups = join(temporaryFolder(), 'backups');

beforeAll(async () => {
  servers = await ReplicatedServers.start();
  program = await startProgram({
    env: {
      DATABASE_URL: servers.url,
      PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
      PEYK_SIMULATORS: '',
      PEYK_BACKUP: backups,
      PEYK_WORKERS: '2',
    },
  });
  carrier = await outsideCarrier();
  await carrier.serve(program, 'outside');
  customer = await program.account({ credits: 50_000, senders: ['PEYK'], set: { rate: '100000' } });
});

afterAll(async () => {
  await traffic.stop();
  await program?.remove();
  await servers?.stop();
});

const messagesOf = async (ids: string[]): Promise<number[]> => {
  const statement = 'select status from messages where order_id = any ($1)';
  return (await (await program.db()).query(statement, [ids.map(Number)])).rows.map(row => row.status as number);
};

test('three times in a row under traffic, with a synchronous standby: what was answered 200 is sent once, links stay bound, and it goes on by itself', async () => {
  const pids = program.processes().map(one => one.pid);
  const large: { id: string; numbers: string[] }[] = [];
  traffic.start([customer]);
  for (const round of [0, 1, 2]) {
    await servers.synchronous(true);
    const numbers = plainNumbers(orderSize, 10 + round);
    const delivered = (await carrier.stats()).delivered;
    large.push({ id: await customer.send(`Sira ${round}`, numbers, { sender: 'PEYK' }), numbers });
    await wait('a part to be on the phones', async () => (await carrier.stats()).delivered > delivered + 200);
    await servers.failOver();
    await traffic.more(30);
    await servers.attach();
  }
  await traffic.stop();
  // Refused callers were asked to retry.
  expect([...traffic.others.keys()].filter(status => status !== 503)).toEqual([]);
  const accepted = [...traffic.accepted, ...large];
  for (const { id } of large) expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: orderSize });
  await wait('everything to be delivered', async () => {
    const found = await messagesOf(accepted.map(one => one.id));
    return found.length === traffic.accepted.length + 3 * orderSize && found.every(status => status === 111);
  });
  const numbers = [...traffic.accepted.map(one => one.number), ...large.flatMap(one => one.numbers)];
  const copies = await carrier.copies(numbers);
  expect(numbers.filter(one => copies.get(one) !== 1)).toEqual([]);
  expect(await carrier.stats()).toMatchObject({ binds: 1, duplicates: 0 });
  expect(program.processes().map(one => one.pid)).toEqual(pids);
  expect(await readHold(await program.db())).toBeNull();
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
  // The server that took over knows nothing of the archive of the one before: its history is another chain, with a backup of its own.
  const timelines = async () => new Set((await listBases(folderStore(backups))).map(one => one.timeline));
  await wait('a backup of the one that took over last', async () => (await timelines()).has(4));
});

test('a server that becomes read-only counts as lost: 503 meanwhile, and orders go on when it writes again', async () => {
  const readOnly = (on: boolean) =>
    servers.primary.query(
      'set default_transaction_read_only = off',
      `alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`,
      'select pg_reload_conf()',
    );
  await readOnly(true);
  const refused = await wait('it to show', async () => {
    const reply = await customer.trySend('Salt', ['5550000003'], { sender: 'PEYK' });
    return reply.http === 503 ? reply : undefined;
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await readOnly(false);
  const id = await wait('an order to be taken', () => customer.send('Yaz', ['5550000004'], { sender: 'PEYK' }));
  expect(await customer.finished(id)).toMatchObject({ delivered: 1 });
});

test('a standby that takes over without the last of it: sending is held, what is missing is named, and released it goes on', async () => {
  await servers.synchronous(false);
  await servers.cutOff();
  const lost = await customer.send('Kayip', plainNumbers(50, 20), { sender: 'PEYK' });
  await customer.finished(lost);
  await servers.failOver();
  const later = await wait('an order to be taken', () => customer.send('Bekler', ['5550000005'], { sender: 'PEYK' }));
  const hold = await wait('sending to be held', async () => readHold(await program.db()));
  expect(hold).toMatchObject({ reason: 'other-timeline', detail: expect.stringMatching(/is not there/) });
  expect(Number(later) - Number(lost)).toBeGreaterThan(1_000_000_000);
  expect(await carrier.copies(['5550000005'])).toEqual(new Map([['5550000005', 0]]));
  await program.cli('dispatch', 'release');
  expect(await customer.finished(later)).toMatchObject({ delivered: 1 });
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
