// Priorities: one-time codes before campaigns, small accounts beside large ones, and no account above its rate.
import { beforeAll, expect, test } from 'vitest';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';

// The rate, a burst of a tenth of a second, and bunching when the carrier's process waited for 0.3 s.
const fastest = 100 + 11 + 30;

let program: Program;
let large: Customer;
let small: Customer;

beforeAll(async () => {
  program = await startProgram();
  // Slow enough that the campaign lasts for some seconds on any machine.
  await program.cli('carrier', 'add', '--name', 'simulator', '--rate', '4000');
  large = await program.account({ credits: 50_000, senders: ['PEYK'], brand });
  small = await program.account({ credits: 5_000, senders: ['PEYK'], brand });
});

test('one-time codes and small campaigns are delivered long before a campaign of 9,000 ends', async () => {
  const numbers = plainNumbers(9_000);
  const few = plainNumbers(200, 10);
  await consentTo(large, numbers);
  await consentTo(small, few);
  // A carrier that answers after 300 ms: with 100 in flight the campaign takes half a minute, however fast the machine.
  await program.carrier.fault('answer-late', 120, { delayMs: 300 });
  const id = await campaign(large, 'Buyuk kampanya', numbers);
  const beside = await campaign(small, 'Kucuk kampanya', few);
  for (let i = 0; i < 10; i++) {
    const code = await large.send(`Sifreniz ${1000 + i}`, plainNumbers(1, 11 + i), { sender: 'PEYK' });
    expect((await large.finished(code)).delivered).toBe(1);
  }
  expect((await small.finished(beside)).delivered).toBe(200);
  expect((await large.report(id)).waiting).toBeGreaterThan(0);
  await program.carrier.fault('answer-late', 0);
  expect((await large.finished(id)).delivered).toBe(9_000);
  expect((await program.carrier.stats()).duplicates).toBe(0);
});

test('an account with a rate of 100 never has more than 100 and its burst on the air within a second', async () => {
  const numbers = plainNumbers(220, 30);
  const id = await small.send('Hizli', numbers, { sender: 'PEYK' });
  expect((await small.finished(id)).delivered).toBe(220);
  const shown = (await Promise.all(numbers.map(one => program.carrier.phone(one)))).flat();
  const times = shown.map(one => Date.parse(one.receivedAt)).sort((a, b) => a - b);
  const busiest = Math.max(...times.map((from, i) => times.slice(i).filter(time => time < from + 1_000).length));
  expect(busiest).toBeLessThanOrEqual(fastest);
});

test('what piled up while the carrier was away does not leave in one burst either', async () => {
  const numbers = plainNumbers(250, 31);
  await program.carrier.fault('drop', 2);
  const id = await small.send('Birikmis', numbers, { sender: 'PEYK' });
  expect((await small.finished(id)).delivered).toBe(250);
  const shown = (await Promise.all(numbers.map(one => program.carrier.phone(one)))).flat();
  const times = shown.map(one => Date.parse(one.receivedAt)).sort((a, b) => a - b);
  const busiest = Math.max(...times.map((from, i) => times.slice(i).filter(time => time < from + 1_000).length));
  expect(busiest).toBeLessThanOrEqual(fastest);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
