// What staff see of carriers at work and in trouble: a dispatcher and the SMSC simulator over the panel's own database.
import { afterAll, afterEach, expect, test } from 'vitest';
import { wait } from '../../test/support/wait.ts';
import { putCarrier } from '../dispatch/carriers.ts';
import { DispatchBench, fault, secretKey } from '../dispatch/dispatch-fixture.ts';
import type { CarrierLine } from './contract-staff.ts';
import { startPanel } from './panel-fixture.ts';

const panel = await startPanel();
const bench = new DispatchBench({ ...panel.database, close: async () => {} });
const staff = await panel.staff();
afterAll(async () => {
  await bench.close();
  await panel.stop();
});

// A test that fails must not leave the next ones a carrier that does not work.
afterEach(async () => {
  for (const kind of ['answer-late', 'throttle']) await fault(smsc, kind, 0);
});

const windowSize = 20;
const faultSeconds = 600;
const numbers = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);

/** The carrier as staff see it, once it is as wanted. */
function seen(name: string, what: string, isWanted: (line: CarrierLine) => unknown): Promise<CarrierLine> {
  return wait(`carrier ${name}: ${what}`, async () => {
    const { carriers } = await staff.ok('staff.carriers', {});
    const found = carriers.find(one => one.name === name);
    return found && isWanted(found) ? found : undefined;
  });
}

const accountId = await bench.account();
const smsc = await bench.carrier('canli', { window: String(windowSize) });
await bench.dispatcher();

test('a carrier at work shows a used window while answers are awaited, then what was handed over and reported', async () => {
  await seen('canli', 'bound', line => line.state === 'bound');
  await fault(smsc, 'answer-late', faultSeconds);
  const order = await bench.accept(accountId, 'Pencere', numbers(60, 5_550_000_000));
  const full = await seen('canli', 'a full window', line => line.links[0]?.windowUsed === windowSize);
  expect(full.links[0]).toMatchObject({ submitted: windowSize, lastError: null });
  await fault(smsc, 'answer-late', 0);
  await bench.finished(order);
  const done = await seen('canli', 'all reported', line => line.links[0]?.receipts === 60);
  expect(done.links[0]).toMatchObject({ submitted: 60, windowUsed: 0, throttled: 0, refused: 0 });
  expect(done.errors).toEqual([]);
});

test('a carrier that throttles shows how often, the pace we fell to, and the error with its count', async () => {
  await fault(smsc, 'throttle', faultSeconds);
  const order = await bench.accept(accountId, 'Kisma', numbers(100, 5_550_001_000));
  const slowed = await seen('canli', 'throttling', line => line.errors[0] && line.links[0]!.throttled > 0);
  expect(slowed).toMatchObject({ state: 'bound', errors: [{ error: 'submit refused: ESME_RTHROTTLED' }] });
  expect(slowed.links[0]!.pace).toBeGreaterThan(0);
  await fault(smsc, 'throttle', 0);
  await bench.finished(order);
  // Counted apart: the link by itself, the errors of all links by their words.
  const told = await seen('canli', 'both counts to agree', line => line.errors[0]!.times === line.links[0]!.throttled);
  expect(Date.parse(told.errors[0]!.lastAt)).toBeGreaterThanOrEqual(Date.parse(told.errors[0]!.firstAt));
});

test('what the carrier says of a message without ending it is counted by its word, with the id it came with', async () => {
  // The simulator says "on its way" of numbers that end so, and a second later that it was delivered.
  const order = await bench.accept(accountId, 'Yolda', [5_550_009_011]);
  const told = await seen('canli', 'the word', line => line.words[0]);
  expect(told.words).toMatchObject([{ word: 'ENROUTE', times: 1, lastId: expect.stringMatching(/./) }]);
  expect((await bench.finished(order))[0]!.status).toBe(111);
});

test('what the carrier refuses for good is counted and named', async () => {
  // The simulator refuses the destination of numbers that end so.
  const order = await bench.accept(accountId, 'Ret', [5_550_009_002]);
  await bench.finished(order);
  const line = await seen('canli', 'a refusal', one => one.links[0]!.refused > 0);
  expect(line.errors[0]!.error).toMatch(/^submit refused: ESME_/);
});

test('a refused bind is the last error while the link is down, and is remembered when it is bound again', async () => {
  await bench.carrier('sifreli', { password: 'yanlis', prefixes: '90599' }, { passwords: { peyk: 'dogru' } });
  const error = 'bind refused: ESME_RINVPASWD';
  const refused = await seen('sifreli', 'the refusal', line => line.links[0]?.lastError && line.errors[0]);
  expect(refused).toMatchObject({ state: 'down', links: [{ lastError: error }], errors: [{ error, times: 1 }] });
  await putCarrier(panel.database.pool, secretKey, 'sifreli', { password: 'dogru' });
  const bound = await seen('sifreli', 'bound', line => line.state === 'bound');
  expect(bound).toMatchObject({ links: [{ lastError: null }], errors: [{ error, times: 1 }] });
});

test('a lost connection is remembered with the carrier it belongs to', async () => {
  await fault(smsc, 'drop', 0);
  await seen('canli', 'the loss', line => line.errors.some(one => one.error === 'the peer closed the connection'));
  const other = await seen('sifreli', 'to be seen', () => true);
  expect(other.errors.map(one => one.error)).not.toContain('the peer closed the connection');
});
