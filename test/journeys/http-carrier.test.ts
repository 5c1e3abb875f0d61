// A campaign over a carrier that speaks HTTP: answers that fail, stall and are cut off, and kill -9 of the dispatcher in the
// middle. What was taken is recorded by the provider's simulator in the test's own process.
import { beforeAll, expect, test } from 'vitest';
import { type HttpCarrier, startHttpCarrier } from '../../simulators/http-carrier/main.ts';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
import { wait } from '../support/run/wait.ts';

const recipients = 2_000;
let program: Program;
let provider: HttpCarrier;
let customer: Customer;

beforeAll(async () => {
  program = await startProgram({
    env: {
      PEYK_SIMULATORS: '',
      PEYK_WORKERS: '2',
      PEYK_UNSURE_HOLD_SECONDS: '2',
      PEYK_LEASE_SECONDS: '2',
      PEYK_VALIDITY_SECONDS: '600',
      // Receipts come by calls; the test puts this program's own address in its place.
      PEYK_PUBLIC_URL: 'https://sms.example.com',
    },
  });
  provider = await startHttpCarrier({ provider: 'verimor', together: 40 });
  atEndOfFile(() => provider.stop());
  const place = ['--kind', 'http', '--preset', 'verimor', '--url', provider.url, '--private', 'on', '--window', '50'];
  await program.cli('carrier', 'add', '--name', 'web', ...place, '--user', 'peyk', '--password', 'gizli-parola');
  const { both } = (await program.cli('carrier', 'callback', 'web')) as { both: string };
  provider.setCallback(program.ready.api + new URL(both).pathname);
  customer = await program.account({ credits: 20_000, senders: ['PEYK'], brand, set: { rate: '100000' } });
});

test('over a faulty provider and kill -9 of the dispatcher nobody gets a campaign twice, and every credit is accounted for', async () => {
  const numbers = plainNumbers(recipients);
  await consentTo(customer, numbers);
  const before = await customer.balance();
  const id = await campaign(customer, 'İndirim {{to}} & "çay"', numbers);
  const reached = (part: number) => wait(`${part} to be taken`, () => provider.taken.length >= part * recipients);
  await reached(0.1);
  provider.setFault('busy');
  await wait('some to be refused for now', () => provider.calls > provider.taken.length + 20);
  provider.setFault('cut');
  const atCut = provider.taken.length;
  await wait('some to be cut off', () => provider.taken.length > atCut);
  provider.setFault(null);
  await reached(0.5);
  program.signal('dispatch', 'SIGKILL');
  const report = await customer.finished(id);
  expect(report).toMatchObject({ status: 114, total: recipients, waiting: 0 });
  const copies = new Map<string, number>();
  for (const one of provider.taken) copies.set(one.to, (copies.get(one.to) ?? 0) + 1);
  expect([...copies].filter(([, count]) => count > 1)).toEqual([]);
  const statuses = await customer.statuses(id);
  const delivered = numbers.filter(one => statuses.get(`+90${one}`) === 111);
  expect(delivered.filter(one => copies.get(`90${one}`) !== 1)).toEqual([]);
  expect(delivered.length).toBeGreaterThan(recipients / 2);
  expect(new Set(provider.taken.map(one => one.text)).size).toBe(1);
  expect(before - (await customer.balance())).toBe(delivered.length);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

test('a stranger who posts receipts learns nothing, and a receipt under a wrong secret changes nothing', async () => {
  const { both } = (await program.cli('carrier', 'callback', 'web')) as { both: string };
  const path = new URL(both).pathname;
  const post = (to: string) =>
    fetch(program.ready.api + to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' });
  expect((await post(path)).status).toBe(200);
  expect((await post(`${path}x/receipts`)).status).toBe(404);
  expect((await post('/carrier/999/abc/receipts')).status).toBe(404);
});
