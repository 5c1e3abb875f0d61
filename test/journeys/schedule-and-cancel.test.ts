// Orders that wait: for their time, for a cancellation, for an account to become active again; and changes while they wait.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { consentEntry, turkeyTime } from '../support/customers/samples.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let customer: Customer;

beforeAll(async () => {
  program = await startProgram();
  customer = await program.account({ credits: 5_000, senders: ['PEYK', 'PEYK2'], brand });
});

/** A time a few seconds ahead, on a whole second, and as it travels. */
function soon(seconds: number): { at: number; sendDateTime: string } {
  const at = Math.ceil(Date.now() / 1_000 + seconds) * 1_000;
  return { at, sendDateTime: turkeyTime(at - Date.now()) };
}

describe('a scheduled order', () => {
  test('leaves at its time and not before', async () => {
    const [number] = plainNumbers(1, 1);
    const { at, sendDateTime } = soon(2);
    const id = await customer.send('Zamanli', [number!], { sender: 'PEYK', sendDateTime });
    expect((await customer.call('get-report', { order: { id } })).code).toBe(456);
    expect(await program.carrier.phone(number!)).toEqual([]);
    expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
    const [shown] = await program.carrier.phone(number!);
    expect(Date.parse(shown!.receivedAt)).toBeGreaterThanOrEqual(at);
  });

  test('is cancelled or fires, never both: 200 means nothing leaves and the credit is back, 455 means it runs', async () => {
    const numbers = plainNumbers(60, 2);
    const before = await customer.balance();
    const { at, sendDateTime } = soon(3);
    const ids = await Promise.all(
      numbers.map(number => customer.send('Yaris', [number], { sender: 'PEYK', sendDateTime })),
    );
    const cancel = async (id: string) => (await customer.call('cancel-order', { order: { id } })).code;
    // The cancellations are spread around the time at which all orders fire; the last is certainly too late.
    const codes = await Promise.all(
      ids.map(async (id, i) => {
        await pause(Math.max(0, at - Date.now() + (i - 30) * 10));
        if (id === ids.at(-1)) await customer.finished(id);
        return cancel(id);
      }),
    );
    let delivered = 0;
    for (const [i, id] of ids.entries()) {
      const report = await customer.finished(id);
      const shown = await program.carrier.phone(numbers[i]!);
      if (codes[i] === 200) {
        expect(report).toMatchObject({ status: 115, delivered: 0, undelivered: 1, price: 0 });
        expect(shown).toEqual([]);
      } else {
        expect(codes[i]).toBe(455);
        expect(report).toMatchObject({ status: 114, delivered: 1, price: 1 });
        expect(shown).toHaveLength(1);
        delivered++;
      }
      expect(await cancel(id)).toBe(455);
    }
    expect(await customer.balance()).toBe(before - delivered);
    expect(codes[0]).toBe(200);
    expect(codes.at(-1)).toBe(455);
  });

  test('leaves out who was blacklisted or withdrew consent since it was accepted, and gives their credit back', async () => {
    const numbers = plainNumbers(4, 3);
    await consentTo(customer, numbers);
    const before = await customer.balance();
    const { sendDateTime } = soon(2);
    const id = await campaign(customer, 'Kampanya', numbers, { sendDateTime });
    expect(await customer.balance()).toBe(before - 4);
    expect((await customer.call('add-blacklist', { blacklist: { number: numbers[0] } })).code).toBe(200);
    const refusal = consentEntry({ recipient: `+90${numbers[1]}`, status: 'RET', consentDate: turkeyTime() });
    expect((await customer.call('consent/create', { consent: { brandCode: brand, list: [refusal] } })).code).toBe(200);
    const report = await customer.finished(id);
    expect(report.message.map(one => one.status)).toEqual([112, 112, 111, 111]);
    expect(report).toMatchObject({ status: 114, delivered: 2, undelivered: 2, price: 2 });
    expect(await program.carrier.copies(numbers)).toEqual(
      new Map([
        [numbers[0], 0],
        [numbers[1], 0],
        [numbers[2], 1],
        [numbers[3], 1],
      ]),
    );
    expect(await customer.balance()).toBe(before - 2);
  });

  test('of which nobody may be written to any more failed as a whole: 115', async () => {
    const numbers = plainNumbers(2, 4);
    const { sendDateTime } = soon(2);
    const id = await customer.send('Kimse', numbers, { sender: 'PEYK', sendDateTime });
    for (const number of numbers) await customer.call('add-blacklist', { blacklist: { number } });
    expect(await customer.finished(id)).toMatchObject({ status: 115, delivered: 0, undelivered: 2, price: 0 });
  });
});

test('an accepted order whose carrier is away leaves out who was blacklisted meanwhile', async () => {
  const numbers = plainNumbers(3, 5);
  await program.cli('carrier', 'pause', 'simulator');
  await wait('the carrier to be released', async () => (await program.carrier.stats()).sessions === 0);
  const id = await customer.send('Bekleyen', numbers, { sender: 'PEYK' });
  await customer.call('add-blacklist', { blacklist: { number: numbers[1] } });
  expect((await customer.report(id)).waiting).toBe(3);
  await program.cli('carrier', 'resume', 'simulator');
  expect((await customer.finished(id)).message.map(one => one.status)).toEqual([111, 112, 111]);
  expect(await program.carrier.phone(numbers[1]!)).toEqual([]);
});

test('a suspended account sends no more at once; what waited goes on when it is active again', async () => {
  // Sent in 50 s, because the command that suspends it takes a second, and on a busy machine ten.
  const slow = await program.account({ credits: 1_000, set: { rate: '20' } });
  const numbers = plainNumbers(1_000, 6);
  const id = await slow.send('Askida', numbers);
  await wait('it to be under way', async () => (await slow.report(id)).delivered > 20);
  await program.cli('account', 'set', slow.id, 'status=suspended');
  expect((await slow.call('get-balance')).code).toBe(401);
  const db = await program.db();
  await wait('its chunks to be given back', async () => {
    const { rows } = await db.query('select bool_and(lease_owner is null) as free from chunks where account_id = $1', [
      slow.id,
    ]);
    return rows[0].free as boolean;
  });
  const sent = (await program.carrier.stats()).submits;
  const other = await customer.send('Digerleri surer', plainNumbers(1, 7), { sender: 'PEYK' });
  await customer.finished(other);
  expect((await program.carrier.stats()).submits).toBe(sent + 1);
  await program.set(slow.id, { status: 'active', rate: '1000' });
  expect(await slow.finished(id)).toMatchObject({ status: 114, delivered: 1_000 });
  expect((await program.carrier.stats()).duplicates).toBe(0);
});

test('a revoked sender ends what has not left: 112, and the credit is back', async () => {
  await program.set(customer.id, { rate: '20' });
  const before = await customer.balance();
  const { sendDateTime } = soon(20);
  const waiting = await customer.send('Baslik', plainNumbers(2, 8), { sender: 'PEYK2', sendDateTime });
  const id = await customer.send('Baslik', plainNumbers(400, 9), { sender: 'PEYK2' });
  await wait('it to be under way', async () => (await customer.report(id)).delivered > 20);
  await program.cli('sender', 'reject', customer.id, 'PEYK2');
  const report = await customer.finished(id);
  expect(report.status).toBe(114);
  expect(report.undelivered).toBeGreaterThan(0);
  expect(await customer.finished(waiting)).toMatchObject({ status: 115, delivered: 0, undelivered: 2, price: 0 });
  expect(await customer.balance()).toBe(before - report.delivered);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
