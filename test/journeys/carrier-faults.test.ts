// A carrier that goes wrong in every way it can, while orders are under way. Four carriers serve different prefixes, so that
// faults that take long (an answer is waited for 20 s) run beside the others.
import { beforeAll, describe, expect, test } from 'vitest';
import { reservedWindow } from '../../src/sending/links/router.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { peakMegabytes } from '../support/program/processes.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const window = 100;

let program: Program;
let customer: Customer;
const carriers = {} as Record<'main' | 'late' | 'stalled' | 'silent', OutsideCarrier>;
const slow = {} as Record<'late' | 'stalled' | 'silent', { id: string; numbers: string[] }>;
// The fourth and fifth digit of a number choose its carrier.
const series = { main: 0, late: 100, stalled: 200, silent: 300 };

beforeAll(async () => {
  program = await startProgram({ env: { PEYK_UNSURE_HOLD_SECONDS: '3' } });
  customer = await program.account({ credits: 200_000, senders: ['PEYK'], brand, set: { rate: '100000' } });
  await program.cli('carrier', 'add', '--name', 'simulator', '--prefixes', '90554');
  for (const [name, prefix] of [
    ['main', '90550'],
    ['late', '90551'],
    ['stalled', '90552'],
    ['silent', '90553'],
  ] as const) {
    carriers[name] = await outsideCarrier();
    await carriers[name].serve(program, name, '--prefixes', prefix, '--window', String(window));
  }
  await carriers.late.fault('answer-late', 22);
  await carriers.stalled.fault('stall', 15);
  await carriers.silent.fault('half-open', 60);
  for (const name of ['late', 'stalled', 'silent'] as const) {
    const numbers = plainNumbers(150, series[name]);
    slow[name] = { numbers, id: await customer.send(`Yavas ${name}`, numbers, { sender: 'PEYK' }) };
  }
});

async function resentOf(id: string): Promise<number> {
  const { rows } = await (await program.db()).query('select resent from orders where id = $1', [id]);
  return rows[0].resent as number;
}

/** An order during which the fault happens; everything is delivered, copies on the air only as far as they are counted. */
async function duringFault(
  text: string,
  count: number,
  strike: () => Promise<unknown>,
  block: number,
): Promise<string> {
  const numbers = plainNumbers(count, series.main + block);
  const { main } = carriers;
  const before = await main.stats();
  const id = await customer.send(text, numbers, { sender: 'PEYK' });
  await wait('a part to be on the phones', async () => (await main.stats()).delivered > before.delivered + count / 20);
  await strike();
  const report = await customer.finished(id);
  expect(report).toMatchObject({ status: 114, delivered: count, undelivered: 0 });
  const after = await main.stats();
  const copies = after.duplicates - before.duplicates;
  expect(after.delivered - before.delivered).toBe(count + copies);
  expect(copies).toBeLessThanOrEqual(await resentOf(id));
  return id;
}

describe('an order goes through', () => {
  test('while every connection is closed and binds are refused', async () => {
    await duringFault('drop', 3_000, () => carriers.main.fault('drop', 1), 1);
  });

  test('while every submit is throttled, and nothing is sent twice', async () => {
    const id = await duringFault('throttle', 3_000, () => carriers.main.fault('throttle', 1), 2);
    expect(await resentOf(id)).toBe(0);
  });

  test('with an undecodable PDU in between, on the same connection', async () => {
    const { binds } = await carriers.main.stats();
    const id = await duringFault('garbage', 1_000, () => carriers.main.fault('garbage'), 3);
    expect(await resentOf(id)).toBe(0);
    expect((await carriers.main.stats()).binds).toBe(binds);
  });

  test('with a PDU of impossible length, after a new bind', async () => {
    await duringFault('garbage-length', 1_000, () => carriers.main.fault('garbage-length'), 4);
  });

  test('when the carrier unbinds', async () => {
    await duringFault('unbind', 1_000, () => carriers.main.fault('unbind'), 5);
  });

  test('when the carrier begins its message ids again, with receipts of both', async () => {
    await carriers.main.fault('id-restart');
    await duringFault('id-restart', 1_000, () => carriers.main.fault('id-restart'), 6);
    await duringFault('id-restart 2', 1_000, () => carriers.main.fault('id-restart'), 7);
  });

  test('with receipts for messages that never were', async () => {
    await duringFault('receipt-unknown-id', 500, () => carriers.main.fault('receipt-unknown-id', 1), 8);
  });

  test('when the phones got it, the answer never came, and its receipts come with the next bind', async () => {
    await duringFault('accept-then-drop', 1_000, () => carriers.main.fault('accept-then-drop', 1), 9);
  });
});

test('a campaign is never sent twice: receipts tell what arrived, the rest is unknown and costs nothing', async () => {
  const numbers = plainNumbers(2_000, series.main + 10);
  await consentTo(customer, numbers);
  const before = await carriers.main.stats();
  const id = await campaign(customer, 'Kampanya', numbers);
  await wait(
    'a part to be on the phones',
    async () => (await carriers.main.stats()).delivered > before.delivered + 100,
  );
  await carriers.main.fault('accept-then-drop', 1);
  const report = await customer.finished(id);
  expect((await carriers.main.stats()).duplicates).toBe(before.duplicates);
  expect(await resentOf(id)).toBe(0);
  expect(report.price).toBe(report.delivered);
  const statuses = await customer.statuses(id);
  const copies = await carriers.main.copies(numbers);
  // Nobody twice; what counts as delivered was shown. A phone may show one whose outcome we never learned in time.
  const wrong = (one: string) => copies.get(one)! > 1 || (statuses.get(`+90${one}`) === 111 && copies.get(one) !== 1);
  expect(numbers.filter(wrong)).toEqual([]);
});

test('50,000 receipts at once are absorbed in bounded memory, none lost', async () => {
  const count = 50_000;
  const numbers = plainNumbers(count, series.main + 20);
  const before = await carriers.main.stats();
  await carriers.main.fault('receipt-flood', 120);
  const id = await customer.send('Makbuz seli', numbers, { sender: 'PEYK' });
  await wait(
    'all to be on the phones',
    async () => (await carriers.main.stats()).delivered >= before.delivered + count,
  );
  await carriers.main.fault('receipt-flood', 0);
  expect((await customer.finished(id)).delivered).toBe(count);
  const [dispatch] = program.processes('dispatch');
  expect(peakMegabytes(dispatch!.pid)).toBeLessThan(300);
});

test('a carrier program that is killed and started again is used again', async () => {
  program.signal('smsc', 'SIGKILL');
  const id = await customer.send('Yeniden', ['5540000000'], { sender: 'PEYK' });
  expect((await customer.finished(id)).delivered).toBe(1);
});

test('an answer later than we wait for it still counts, and nothing is sent again', async () => {
  const { id, numbers } = slow.late;
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: numbers.length });
  expect(await resentOf(id)).toBe(0);
  expect((await carriers.late.stats()).duplicates).toBe(0);
});

test.each(['stalled', 'silent'] as const)(
  'what a %s connection swallowed is sent once more over a new one',
  async name => {
    const { id, numbers } = slow[name];
    expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: numbers.length });
    const stats = await carriers[name].stats();
    expect(stats).toMatchObject({ delivered: numbers.length, duplicates: 0, binds: 2 });
    // What was in the window: the order is a large one, to which some places of it are closed.
    expect(await resentOf(id)).toBe(window - reservedWindow(window));
  },
);

test('after all of it the ledger and the counters agree', async () => {
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
