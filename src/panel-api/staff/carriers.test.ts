// Carriers as staff see them, working and failing: a dispatcher and the SMSC simulator over the panel's own database.
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { startHttpCarrier } from '../../../simulators/http-carrier/main.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { putCarrier } from '../../carriers/carriers.ts';
import { DispatchBench, fault, secretKey } from '../../sending/dispatch-fixture.ts';
import { startPanel } from '../panel-fixture.ts';
import type { CarrierLine } from './carriers-contract.ts';

const panel = await startPanel();
const bench = new DispatchBench({ ...panel.database, close: async () => {} });
const staff = await panel.staff();
afterAll(async () => {
  await bench.close();
  await panel.stop();
});

// A failed test must not leave a broken carrier for the next ones.
afterEach(async () => {
  for (const kind of ['answer-late', 'throttle']) await fault(smsc, kind, 0);
});

const windowSize = 20;
const faultSeconds = 600;
const numbers = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);

/** Returns the carrier as staff see it, once the condition holds. */
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

test('a carrier at work shows a used window while answers are awaited, then what was submitted and reported', async () => {
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

test('the form of a new carrier begins with a priority behind all that are there', async () => {
  const { carriers, fields } = await staff.ok('staff.carriers', {});
  const initial = Number(fields.find(field => field.name === 'priority')!.initial);
  expect(initial).toBeGreaterThan(Math.max(...carriers.map(one => one.priority)));
});

test('a carrier that throttles shows how often, the pace we fell to, and the error with its count', async () => {
  await fault(smsc, 'throttle', faultSeconds);
  const order = await bench.accept(accountId, 'Kisma', numbers(100, 5_550_001_000));
  const slowed = await seen('canli', 'throttling', line => line.errors[0] && line.links[0]!.throttled > 0);
  expect(slowed).toMatchObject({ state: 'bound', errors: [{ error: 'submit refused: ESME_RTHROTTLED' }] });
  expect(slowed.links[0]!.pace).toBeGreaterThan(0);
  await fault(smsc, 'throttle', 0);
  await bench.finished(order);
  // Counted separately: the link by itself, the errors of all links by their words.
  const line = await seen('canli', 'both counts to agree', line => line.errors[0]!.times === line.links[0]!.throttled);
  expect(Date.parse(line.errors[0]!.lastAt)).toBeGreaterThanOrEqual(Date.parse(line.errors[0]!.firstAt));
});

test('what the carrier says of a message without ending it is counted by its word, with the id it came with', async () => {
  // The simulator reports "on its way" for numbers with this end, and a second later "delivered".
  const order = await bench.accept(accountId, 'Yolda', [5_550_009_011]);
  const line = await seen('canli', 'the word', line => line.words[0]);
  expect(line.words).toMatchObject([{ word: 'ENROUTE', times: 1, lastId: expect.stringMatching(/./) }]);
  expect((await bench.finished(order))[0]!.status).toBe(111);
});

test('what the carrier refuses for good is counted and named', async () => {
  // The simulator refuses the destination of numbers with this end.
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

test('what a carrier did is kept by the minute: submits, receipts, refusals, lag and errors', async () => {
  const history = async () => (await staff.ok('staff.carrierHistory', { name: 'canli', span: 'hour' })).points;
  const sum = async (of: 'submitted' | 'receipts') => (await history()).reduce((all, one) => all + one[of], 0);
  const before = await sum('receipts');
  const order = await bench.accept(accountId, 'Tarih', numbers(40, 5_550_002_000));
  await bench.finished(order);
  await wait('forty receipts more', async () => (await sum('receipts')) >= before + 40);
  expect(await sum('submitted')).toBeGreaterThanOrEqual(40);
  expect(await history()).toHaveLength(60);
  const measured = (await history()).filter(one => one.lagSeconds !== null);
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.every(one => one.lagSeconds! < 600)).toBe(true);
  const { points, stepSeconds } = await staff.ok('staff.carrierHistory', { name: 'canli', span: 'week' });
  expect([points.length, stepSeconds]).toEqual([168, 3_600]);
  expect(points.some(one => one.refused > 0 && one.errorShare! > 0)).toBe(true);
});

test('all faults of the form are reported together, in both languages', async () => {
  const refused = await staff.refusal('staff.putCarrier', { name: 'yeni', settings: { port: '0', binds: '99' } });
  expect(refused).toMatchObject({ code: 'bad-setting', field: 'host', tr: 'Bu alan gerekli.' });
  expect(refused.faults!.map(one => [one.field, one.tr])).toEqual([
    ['host', 'Bu alan gerekli.'],
    ['port', '1 ile 65535 arasında bir tam sayı yazın.'],
    ['system-id', 'Bu alan gerekli.'],
    ['binds', '1 ile 32 arasında bir tam sayı yazın.'],
    ['password', 'Bu alan gerekli.'],
  ]);
});

test('a form is tried before it is saved: the bind, a message, and in whose words it failed', async () => {
  const values = (await seen('canli', 'there', () => true)).values;
  const form = { name: 'denenen', settings: { host: values['host']!, port: values['port']!, 'system-id': 'peyk' } };
  expect(await staff.ok('staff.testCarrier', { ...form, password: 'peyk' })).toMatchObject({
    outcome: 'bound',
    error: null,
  });
  const sms = { sender: 'DENEME', number: '0555 000 44 01' };
  const sent = await staff.ok('staff.testCarrier', { ...form, password: 'peyk', sms });
  expect(sent).toMatchObject({ outcome: 'sent', messageId: expect.stringMatching(/./) });
  const closed = { ...form, settings: { ...form.settings, port: '1' }, password: 'peyk' };
  expect(await staff.ok('staff.testCarrier', closed)).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/ECONNREFUSED/),
  });
  expect((await staff.ok('staff.carriers', {})).carriers.map(one => one.name)).not.toContain('denenen');
});

test('a test message is a submit like any other: its receipt is nobody else’s, and staff see that it may be on the air', async () => {
  const sms = { sender: 'DENEME', number: '0555 000 44 02' };
  const { messageId } = await staff.ok('staff.testCarrier', { name: 'canli', settings: {}, sms });
  const { rows } = await panel.database.pool.query(
    'select smsc_id as id from submits where message_id = -905550004402',
  );
  expect(rows).toEqual([{ id: messageId }]);
  const { doubts } = await staff.ok('staff.doubts', {});
  expect(doubts[0]).toMatchObject({ isTest: true, carrier: 'canli', orderId: null, hasReceipt: false });
});

test('staff see messages in doubt and unmatched receipts side by side, and which of them have the same number', async () => {
  const sms = { sender: 'DENEME', number: '0555 000 44 03' };
  await staff.ok('staff.testCarrier', { name: 'canli', settings: {}, sms });
  await panel.database.pool.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number, mismatch)
     select id, 'kimsenin', 111, 0, u.number, u.mismatch from carriers, unnest(array[5550004403, 5550004499], array[false, true]) u(number, mismatch)
     where name = 'canli'`,
  );
  const { doubts, receipts } = await staff.ok('staff.doubts', {});
  expect(doubts.find(one => one.number === '+905550004403')).toMatchObject({ hasReceipt: true });
  const found = receipts.filter(one => one.smscId === 'kimsenin').sort((a, b) => a.number!.localeCompare(b.number!));
  expect(found).toMatchObject([
    { number: '+5550004403', carrier: 'canli', hasDoubt: true, mismatch: false },
    { number: '+5550004499', carrier: 'canli', hasDoubt: false, mismatch: true },
  ]);
});

test('a stored password is tried, and sent to a carrier that is saved, only where it always goes', async () => {
  const { values } = await seen('canli', 'there', () => true);
  expect(await staff.ok('staff.testCarrier', { name: 'canli', settings: {} })).toMatchObject({ outcome: 'bound' });
  const elsewhere = { name: 'canli', settings: { port: String(Number(values['port']) + 1) } };
  for (const operation of ['staff.testCarrier', 'staff.putCarrier'] as const)
    expect((await staff.refusal(operation, elsewhere)).faults!.map(one => one.field)).toEqual(['password']);
  expect((await staff.refusal('staff.putCarrier', elsewhere)).tr).toMatch(/^Adres değişti/);
  expect((await seen('canli', 'there', () => true)).values['port']).toBe(values['port']);
});

test('a provider that posts its receipts is neither saved nor tried while our own address is not set', async () => {
  const provider = await startHttpCarrier({ provider: 'generic', password: 'p' });
  onTestFinished(() => provider.stop());
  const { definition } = await staff.ok('staff.carrierDescription', { preset: 'generic' });
  const settings = { kind: 'http', url: provider.url, private: 'on', prefixes: '90597' };
  const form = { name: 'adressiz', password: 'p', settings };
  const sms = { sender: 'DENEME', number: '0555 000 44 02' };
  for (const [given, field] of [
    [{ ...form, settings: { ...settings, preset: 'generic' } }, 'preset'],
    [{ ...form, definition }, 'definition.callback'],
  ] as const) {
    const refused = [
      await staff.refusal('staff.putCarrier', given),
      await staff.refusal('staff.testCarrier', { ...given, sms }),
    ];
    for (const one of refused)
      expect(one.faults).toEqual([expect.objectContaining({ field, en: expect.stringContaining('PEYK_PUBLIC_URL') })]);
  }
  expect(provider.taken).toEqual([]);
  // Where receipts are asked for, no address is needed; a change that brings posts is looked at like a new carrier.
  const polled = { kind: 'http', url: provider.url, private: 'on', prefixes: '90597', preset: 'netgsm', user: 'u' };
  await staff.ok('staff.putCarrier', { ...form, settings: polled });
  expect(
    (await staff.refusal('staff.putCarrier', { name: 'adressiz', settings: { preset: 'generic' } })).faults![0]!.field,
  ).toBe('preset');
  await staff.ok('staff.pauseCarrier', { name: 'adressiz', paused: true });
});

test('a carrier over HTTP with a description of its own: faults by member, secrets by name and never shown, tried, addresses for the provider', async () => {
  const provider = await startHttpCarrier({ provider: 'generic', password: 'gizli-parola' });
  onTestFinished(() => provider.stop());
  const addressed = await startPanel('no-build-here', 'https://sms.example.com');
  onTestFinished(() => addressed.stop());
  const staff = await addressed.staff();
  const { definition: preset } = await staff.ok('staff.carrierDescription', { preset: 'generic' });
  const own = { ...JSON.parse(preset), auth: { kind: 'bearer', token: '{{secret:anahtar}}' }, title: 'Kendi kapım' };
  const settings = { kind: 'http', url: provider.url, private: 'on', prefixes: '90597' };
  const form = { name: 'kendi', settings, definition: JSON.stringify(own) };
  const spoilt = { ...own, ids: 'nobody', send: { ...own.send, path: 'x', verb: 'y' } };
  const refused = await staff.refusal('staff.putCarrier', { ...form, definition: JSON.stringify(spoilt) });
  expect(refused.faults!.map(one => one.field)).toEqual(['definition.send.verb', 'definition.ids']);
  expect(refused.faults![1]!.tr).toBe('ids: şunlardan biri olmalı: theirs, ours');
  for (const operation of ['staff.putCarrier', 'staff.testCarrier'] as const)
    expect((await staff.refusal(operation, form)).faults!.map(one => one.field)).toEqual(['secret:anahtar']);

  const withSecret = { ...form, secrets: { anahtar: 'gizli-parola' } };
  const sms = { sender: 'DENEME', number: '0555 000 44 02' };
  expect(await staff.ok('staff.testCarrier', { ...withSecret, sms })).toMatchObject({ outcome: 'sent' });
  const shown = await staff.ok('staff.putCarrier', withSecret);
  expect(JSON.stringify(shown)).not.toContain('gizli-parola');
  const stored = await staff.ok('staff.carrierDescription', { name: 'kendi' });
  expect(stored).toMatchObject({ isOwn: true, secretsSet: ['anahtar'] });
  expect(JSON.parse(stored.definition)).toEqual(own);
  // Stored secrets are tested only at the stored host.
  expect(await staff.ok('staff.testCarrier', { name: 'kendi', settings: {}, sms })).toMatchObject({ outcome: 'sent' });
  const elsewhere = { name: 'kendi', settings: { url: 'http://127.0.0.1:1' } };
  expect((await staff.refusal('staff.testCarrier', elsewhere)).faults!.map(one => one.field)).toEqual([
    'secret:anahtar',
  ]);

  const { receipts, inbound } = await staff.ok('staff.carrierAddresses', { name: 'kendi' });
  expect(receipts).toMatch(/^https:\/\/sms\.example\.com\/carrier\/\d+\/[\w-]{32}\/receipts$/);
  expect(inbound).toBe(receipts!.replace(/receipts$/, 'inbound'));
  const { rows } = await staff.ok('staff.audit', {});
  expect(rows.map(one => one.action)).toContain('carrier.callback');
  expect(JSON.stringify(rows)).not.toContain('gizli-parola');
});

test('a carrier is bound anew on request, and removed once it is paused without pending receipts', async () => {
  const before = await seen('canli', 'bound', line => line.state === 'bound');
  await staff.ok('staff.reconnectCarrier', { name: 'canli' });
  await seen('canli', 'a new bind', line => line.state === 'bound' && line.links[0]!.since > before.links[0]!.since);
  const removal = { name: 'sifreli', force: false, reason: 'Sözleşme bitti' };
  expect((await staff.refusal('staff.removeCarrier', removal)).code).toBe('carrier-not-paused');
  await staff.ok('staff.pauseCarrier', { name: 'sifreli', paused: true });
  await wait('the release', async () => (await staff.send('staff.removeCarrier', removal)).body.ok);
  expect((await staff.ok('staff.carriers', {})).carriers.map(one => one.name)).not.toContain('sifreli');
  const { rows } = await staff.ok('staff.audit', { action: 'carrier.remove' });
  expect(rows[0]!.detail).toEqual({ name: 'sifreli', reason: 'Sözleşme bitti' });
});

test('the poll of staff names the carrier that is down and how many messages wait', async () => {
  await bench.carrier('kopuk', { host: '127.0.0.1', port: '1', prefixes: '90598' });
  await wait('the carrier to be named', async () => (await staff.ok('live', {})).staff!.downNames.includes('kopuk'));
  expect((await staff.ok('live', {})).staff!.waiting).toBeGreaterThanOrEqual(0);
});
