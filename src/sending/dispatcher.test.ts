// The whole dispatcher against a carrier, where stored data matter; test/journeys has the rest.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { audit } from '../audit/invariants.ts';
import { type DispatchBench, dispatchBench, fault, statsOf } from './dispatch-fixture.ts';

let bench: DispatchBench;

beforeEach(async () => {
  bench = await dispatchBench();
});
afterEach(() => bench.close());

const numbers = (count: number, from = 5_550_000_000) => Array.from({ length: count }, (_, i) => from + i);
const long = 'Uzun bir mesaj, birkac parcaya bolunur. '.repeat(10).trim();

async function phone(smsc: { url: string }, number: number): Promise<{ text: string; parts: number }[]> {
  return (await (await fetch(`${smsc.url}/messages?to=90${number}`)).json()) as { text: string; parts: number }[];
}

test('messages to numbers without a carrier delay no others, and end as never sent when their validity is over', async () => {
  await bench.carrier('some', { prefixes: '90555' });
  const account = await bench.account();
  const order = await bench.accept(account, 'Karisik', [5_550_000_000, 5_300_000_000, 5_550_000_001]);
  await bench.dispatcher({ PEYK_VALIDITY_SECONDS: '3' });
  await wait('those that can to arrive', async () => {
    const found = await bench.messages(order);
    return found[0]!.status === 111 && found[2]!.status === 111;
  });
  expect((await bench.messages(order))[1]).toMatchObject({ status: 110 });
  expect((await bench.finished(order))[1]).toMatchObject({ status: 112, reason: 18 });
});

test('a clean stop in the middle of an order leaves no lease and repeats no message', async () => {
  const smsc = await bench.carrier('one', { rate: '1000' });
  const account = await bench.account();
  const order = await bench.accept(account, 'Durdur', numbers(2_000));
  const codes = await bench.accept(account, long, [5_550_009_000]);
  const first = await bench.dispatcher();
  await wait('it to be under way', async () => (await statsOf(smsc))['delivered']! > 100);
  await first.stop();
  const chunks = await bench.chunks(order);
  expect(chunks.filter(one => one.leased)).toEqual([]);
  expect((await bench.db.query('select 1 from dispatchers')).rowCount).toBe(0);
  await bench.dispatcher();
  expect((await bench.finished(order)).every(one => one.status === 111)).toBe(true);
  await bench.finished(codes);
  expect(await statsOf(smsc)).toMatchObject({ duplicates: 0, delivered: 2_001 });
  expect(await audit(bench.db)).toEqual({ ok: true, findings: [] });
});

test('only throttled parts of a long message are sent again', async () => {
  const smsc = await bench.carrier('one');
  const account = await bench.account();
  const order = await bench.accept(account, long, [5_550_009_007, 5_551_009_007, 5_550_000_001]);
  await bench.dispatcher();
  expect((await bench.finished(order)).map(one => one.status)).toEqual([111, 111, 111]);
  for (const number of [5_550_009_007, 5_551_009_007, 5_550_000_001])
    expect(await phone(smsc, number)).toEqual([expect.objectContaining({ text: `${long} B186`, parts: 3 })]);
  // Three parts each, and each part of the two throttled ones a second time.
  expect(await statsOf(smsc)).toMatchObject({ submits: 15, throttled: 6, accepted: 9, incomplete: 0 });
});

test('a message ends when its validity is over, though its carrier only throttles', async () => {
  const smsc = await bench.carrier('one');
  await fault(smsc, 'throttle', 60);
  const account = await bench.account();
  const order = await bench.accept(account, 'Yavas', numbers(3));
  await bench.dispatcher({ PEYK_VALIDITY_SECONDS: '2' });
  const ends = await bench.finished(order);
  expect(ends.map(one => one.status)).toEqual([112, 112, 112]);
  expect(ends.every(one => [17, 18].includes(one.reason))).toBe(true);
  expect((await statsOf(smsc))['throttled']).toBeGreaterThan(0);
});

test('leased chunks go back when no carrier is bound for some seconds', async () => {
  const smsc = await bench.carrier('one', { rate: '50' });
  const account = await bench.account();
  const order = await bench.accept(account, 'Yol yok', numbers(400));
  await bench.dispatcher();
  await wait('it to be under way', async () => (await statsOf(smsc))['delivered']! > 5);
  await smsc.stop();
  await wait('its chunk to be free', async () => (await bench.chunks(order)).every(one => !one.leased));
  expect((await bench.messages(order)).some(one => one.status === 110)).toBe(true);
});

test('an intermediate receipt ends no message, and a repeated one ends it once', async () => {
  await bench.carrier('one');
  const account = await bench.account();
  const order = await bench.accept(account, 'Makbuz', [5_550_009_006, 5_550_009_011, 5_550_009_008]);
  await bench.dispatcher();
  expect((await bench.finished(order)).map(one => one.status)).toEqual([111, 111, 111]);
  expect((await bench.db.query('select 1 from receipts')).rowCount).toBe(0);
  await wait('its chunks to be gone', async () => (await bench.chunks(order)).length === 0);
  expect(await audit(bench.db)).toEqual({ ok: true, findings: [] });
});
