// kill -9 of each process, and of the database server, during large orders. A carrier in the test's own process records what
// the phones got, so that no kill can lose the evidence.

import { connect as connectSocket, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { type HookReceiver, startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { setWebhookUrl } from '../../src/webhooks/endpoints.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { clusterUrl } from '../support/database/citus.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const recipients = 4_000;
// The most that a killed process may have written: two windows of 100 ahead in the current chunk and in the next, one on the
// wire; and on a busy machine the messages answered while earlier answers were being stored (700 were seen).
const unsureMax = 1_000;

let program: Program;
let carrier: OutsideCarrier;
let customer: Customer;

beforeAll(async () => {
  program = await startProgram({
    env: {
      PEYK_SIMULATORS: '',
      PEYK_WORKERS: '2',
      PEYK_UNSURE_HOLD_SECONDS: '2',
      PEYK_LEASE_SECONDS: '2',
      PEYK_VALIDITY_SECONDS: '600',
      PEYK_ALLOW_PRIVATE_WEBHOOKS: 'on',
    },
  });
  carrier = await outsideCarrier();
  await carrier.serve(program, 'outside');
  customer = await program.account({ credits: 200_000, senders: ['PEYK'], brand, set: { rate: '100000' } });
});

/** Sends, waits until a part of it is on the phones, kills, and compares the result with the phones. */
async function struckMidway(
  strike: () => Promise<void> | void,
  series: number,
  { isCampaign = false, by = customer } = {},
): Promise<void> {
  const numbers = plainNumbers(recipients, series);
  if (isCampaign) await consentTo(by, numbers);
  const before = await carrier.stats();
  const text = `Deneme ${series}`;
  const id = isCampaign ? await campaign(by, text, numbers) : await by.send(text, numbers, { sender: 'PEYK' });
  await wait('a part to be on the phones', async () => (await carrier.stats()).delivered > before.delivered + 500);
  await strike();
  const report = await by.finished(id);
  expect(report).toMatchObject({ status: 114, total: recipients, waiting: 0 });
  expect(report.delivered + report.undelivered).toBe(recipients);
  const { rows } = await (await program.db()).query(
    `select o.resent, (select array_agg(distinct m.reason) from messages m where m.order_id = o.id and m.status = 112) as reasons
     from orders o where o.id = $1`,
    [id],
  );
  const { resent, reasons } = rows[0] as { resent: number; reasons: number[] | null };
  const statuses = await by.statuses(id);
  const copies = await carrier.copies(numbers);
  const twice = numbers.filter(one => copies.get(one)! > 1);
  const delivered = numbers.filter(one => statuses.get(`+90${one}`) === 111);
  expect(delivered.filter(one => copies.get(one) === 0)).toEqual([]);
  expect(numbers.filter(one => copies.get(one)! > 2)).toEqual([]);
  if (isCampaign) {
    // Never twice: a doubtful message without a receipt has ended as "unknown", with its credit released.
    expect(twice).toEqual([]);
    expect(resent).toBe(0);
    expect(reasons ?? [15]).toEqual([15]);
  } else {
    expect(report.undelivered).toBe(0);
    expect(twice.length).toBeLessThanOrEqual(resent);
  }
  expect(resent).toBeLessThanOrEqual(unsureMax);
  expect(report.undelivered).toBeLessThanOrEqual(unsureMax);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
}

test('the dispatcher: everything accepted is delivered, copies only within the mark, and they are counted', async () => {
  await struckMidway(() => void program.signal('dispatch', 'SIGKILL'), 0);
});

test('the dispatcher, with a campaign: nobody gets it twice', async () => {
  await struckMidway(() => void program.signal('dispatch', 'SIGKILL'), 1, { isCampaign: true });
});

test('an API process: what was answered 200 is delivered, what was not answered exists wholly or not at all', async () => {
  const numbers = plainNumbers(240, 2);
  const accepted: { id: string; number: string }[] = [];
  let unknown = 0;
  let killed = false;
  await Promise.all(
    Array.from({ length: 8 }, async (_, line) => {
      for (let i = line; i < numbers.length; i += 8) {
        if (!killed && accepted.length > 60) {
          killed = true;
          program.signal('api', 'SIGKILL');
        }
        const reply = await customer.trySend('Sifreniz 1234', [numbers[i]!], { sender: 'PEYK' }).catch(() => undefined);
        if (reply?.code === 200) accepted.push({ id: reply.response.order!.id, number: numbers[i]! });
        else unknown++;
      }
    }),
  );
  expect(accepted.length).toBeGreaterThan(180);
  for (const one of accepted) expect((await customer.finished(one.id)).delivered).toBe(1);
  const copies = await carrier.copies(numbers);
  for (const one of accepted) expect(copies.get(one.number)).toBe(1);
  const shown = [...copies.values()].filter(count => count > 0).length;
  expect(shown).toBeLessThanOrEqual(accepted.length + unknown);
  expect([...copies.values()].filter(count => count > 1)).toEqual([]);
  await wait('the API process to be replaced', () => program.processes('api').length === 2);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

test('an API process that dies with a connection on its way to it: the caller is cut off or answered, never left waiting', async () => {
  const frozen = program.processes('api').map(one => one.pid);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  const { hostname, port } = new URL(program.ready.api);
  const answered = new Set<Socket>();
  const callers = Array.from({ length: 6 }, () => connectSocket(Number(port), hostname));
  for (const one of callers) {
    for (const event of ['data', 'close']) one.once(event, () => void answered.add(one));
    one.on('error', () => {}).write('GET /health/ready HTTP/1.1\r\nhost: peyk\r\n\r\n');
  }
  // The frozen processes hold two of them and can neither take nor refuse them; the others wait for a free one.
  await wait('all to be connected', () => callers.every(one => !one.connecting));
  for (const pid of frozen) process.kill(pid, 'SIGKILL');
  await wait('all to be answered', () => answered.size === callers.length);
  for (const one of callers) one.destroy();
  await wait('both to be replaced', async () => (await customer.call('get-balance')).code === 200);
});

// The test may not restart a cluster's server.
test.skipIf(clusterUrl).each([
  ['killed', 'SIGKILL', 3],
  ['shut down', 'SIGINT', 5],
] as const)(
  'the database server, %s: it comes back by itself, and nothing is sent twice',
  async (_how, signal, series) => {
    const before = await carrier.stats();
    const server = program.postmaster();
    await struckMidway(() => void program.signal('postgres', signal), series, { isCampaign: signal === 'SIGINT' });
    expect((await carrier.stats()).duplicates).toBe(before.duplicates);
    expect(program.postmaster()).not.toBe(server);
  },
);

test('the background process: the order goes on, and every event reaches its webhook, with the same number when repeated', async () => {
  const hook = await startHookReceiver();
  const by = await program.account({ credits: recipients, senders: ['PEYK'], set: { rate: '100000' } });
  await setWebhookUrl(await program.db(), Number(by.id), hook.url, true);
  const before = await carrier.stats();
  const strike = async () => {
    await wait('events to flow', () => hook.count() > 100);
    const pid = program.signal('background', 'SIGKILL');
    await wait('another one', () => program.processes('background').some(one => one.pid !== pid));
  };
  await struckMidway(strike, 6, { by });
  expect((await carrier.stats()).duplicates).toBe(before.duplicates);
  const { rows } = await (await program.db()).query('select id from messages where account_id = $1', [by.id]);
  const expected = (rows as { id: number }[]).flatMap(one => [`${one.id} accepted`, `${one.id} delivered`]);
  const answered = await wait('the last event', () => {
    // Repeats come on top: reading them before the expected count is useless.
    const events = hook.count() < expected.length ? undefined : eventsOf(hook);
    return events && expected.every(one => events.has(one)) ? events : undefined;
  });
  expect([...answered.values()].filter(deliveries => deliveries.size > 1)).toEqual([]);
  await hook.stop();
});

/** Each received event, `message status`, with its delivery numbers. */
function eventsOf(hook: HookReceiver): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { body, headers } of hook.calls) {
    const { report } = JSON.parse(body) as { report: { id: number; status: string } };
    const name = `${report.id} ${report.status}`;
    found.set(name, (found.get(name) ?? new Set()).add(String(headers['x-peyk-delivery'])));
  }
  return found;
}

test('the first process: the others end by themselves, and the next start goes on where it stopped', async () => {
  await struckMidway(async () => {
    const others = program.processes().map(one => one.pid);
    program.signal('first', 'SIGKILL');
    await program.exited();
    await wait('the other processes to end', () => !others.some(pid => program.lives(pid)));
    await program.start();
  }, 4);
});

test('Ctrl-C instead: what is under way gets its answer, nothing is in doubt, and the next start sends the rest', async () => {
  const before = await carrier.stats();
  const id = Number(await lastOrder());
  await struckMidway(async () => {
    expect(await program.interrupt()).toBe(0);
    await program.start();
  }, 7);
  expect((await carrier.stats()).duplicates).toBe(before.duplicates);
  const { rows } = await (await program.db()).query('select sum(resent) as n from orders where id > $1', [id]);
  expect(Number(rows[0].n)).toBe(0);
});

async function lastOrder(): Promise<string> {
  return String((await (await program.db()).query('select max(id) as id from orders')).rows[0].id);
}
