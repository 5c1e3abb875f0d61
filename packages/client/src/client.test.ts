// The client against the running service: every operation, its bounds, its errors, and a line that breaks at the wrong moment.
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../../../src/api/operations.ts';
import {
  brandCode,
  consentEntry,
  freshText,
  number,
  numbers,
  sender,
  shown,
  today,
} from '../../../test/support/customers/samples.ts';
import { testApp } from '../../../test/support/program/app.ts';
import {
  type ClientOptions,
  type ConsentRecord,
  fromTurkeyTime,
  isPeykError,
  PeykClient,
  type PeykPartlyDone,
  PeykUnavailable,
  toTurkeyTime,
} from './client.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ sms: 400_000, senders: [sender], brands: [brandCode] });
const quick = { attempts: 3, pauseMs: 1 };
const clientOf = (options: Partial<ClientOptions> = {}) =>
  new PeykClient({ baseUrl: app.url, key: account.key, hash: account.hash, ...quick, ...options });
const peyk = clientOf();

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

const ordersOf = async (text: string) =>
  (
    await app.db.query('select id, total from orders where account_id = $1 and text = $2 order by id', [
      account.id,
      text,
    ])
  ).rows as { id: number; total: number }[];

/** The server does its work, and the first `count` answers get lost on the way back. */
function losing(count: number): { fetch: typeof fetch; asked: () => number } {
  let asked = 0;
  const lossy: typeof fetch = async (...given) => {
    const answer = await fetch(...given);
    if (asked++ >= count) return answer;
    await answer.arrayBuffer();
    throw new TypeError('the line broke');
  };
  return { fetch: lossy, asked: () => asked };
}

test('every operation has a method of its name', () => {
  const methodOf = (name: string) => name.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
  expect(operations.map(one => methodOf(one.name)).filter(name => !(name in PeykClient.prototype))).toEqual([]);
});

test('orders are sent, reported, listed and cancelled', async () => {
  const sent = await peyk.sendSms({ sender, text: freshText(), to: number() });
  expect(sent.orderIds).toEqual([sent.orderId]);
  expect(await peyk.getReport(sent.orderId)).toMatchObject({ id: sent.orderId, total: 1, sender });
  const to = numbers(1_500, 1_000);
  const large = await peyk.sendSms({ sender, text: freshText(), to });
  expect((await all(peyk.reportMessages(large.orderId))).map(one => one.number)).toEqual(to.map(one => `+90${one}`));

  const later = new Date(Date.now() + 86_400_000);
  const messages = [1, 2].map(i => ({ text: freshText(), to: [number(i)] }));
  const scheduled = await peyk.sendSms({ sender, messages, sendAt: later });
  const { orders } = await peyk.getReports(today());
  expect(orders.find(one => String(one.id) === scheduled.orderId)).toMatchObject({
    total: 2,
    sendAt: toTurkeyTime(later),
  });
  await peyk.cancelOrder(scheduled.orderId);
  await expect(peyk.cancelOrder(scheduled.orderId)).rejects.toMatchObject({ code: 455, operation: 'cancel-order' });

  const month = { start: new Date(Date.now() - 30 * 86_400_000), end: new Date(Date.now() + 1_000) };
  expect((await all(peyk.reports(month))).map(one => String(one.id))).toEqual(
    [scheduled, large, sent].map(one => one.orderId),
  );
});

test('credit, senders, blacklist, consents and inbox are read and written', async () => {
  expect((await peyk.getBalance()).sms).toBeGreaterThan(300_000);
  expect(await peyk.getSender()).toEqual([sender]);
  await peyk.addBlacklist(number(901));
  expect(await peyk.getBlacklist({ start: today().start })).toEqual({ count: 1, number: [shown(901)] });
  await peyk.deleteBlacklist(number(901));
  const record = { ...(consentEntry() as ConsentRecord), consentDate: new Date(Date.now() - 60_000) };
  await peyk.iysRegister(brandCode, [record]);
  const { recipient, recipientType, type } = record;
  expect(await peyk.iysCheck({ brandCode, recipient, recipientType, type })).toMatchObject({
    status: 'ONAY',
    source: 'HS_WEB',
  });
  expect(await peyk.getInbox()).toEqual({ count: 0, message: [] });
});

test('a list is read page by page, and an entry that moves to a later page meanwhile is returned once', async () => {
  await app.db.query(
    `insert into inbound_messages (account_id, recipient, number_text, text, received_at)
     select $1, '3340', '+905550000000', 'm' || i, now() - i * interval '1 second' from generate_series(1, 1500) i`,
    [account.id],
  );
  const texts: string[] = [];
  for await (const message of peyk.inbox()) {
    if (texts.push(message.text) !== 10) continue;
    await app.db.query(
      `insert into inbound_messages (account_id, recipient, number_text, text, received_at) values ($1, '3340', '+905550000000', 'new', now())`,
      [account.id],
    );
  }
  expect(texts).toEqual(Array.from({ length: 1_500 }, (_, i) => `m${i + 1}`));
});

test('a list above 50,000 becomes several orders; stopped halfway, the same key sends the rest and nothing twice', async () => {
  const text = freshText();
  const to = [...numbers(50_001, 200_000), `+90 ${number(200_000)}`, `0${number(200_001)}`];
  let calls = 0;
  const breaking = clientOf({
    fetch: (...given) => (++calls === 1 ? fetch(...given) : Promise.reject(new TypeError('no way'))),
  });
  const error = (await breaking.sendSms({ sender, text, to }).catch(one => one)) as PeykPartlyDone<string[]>;
  expect(error).toMatchObject({ name: 'PeykPartlyDone', cause: { name: 'PeykUnavailable', attempts: 3 } });
  expect(error.done).toHaveLength(1);
  const { orderIds } = await peyk.sendSms({ sender, text, to }, { idempotencyKey: error.idempotencyKey! });
  expect(orderIds[0]).toBe(error.done[0]);
  expect((await ordersOf(text)).map(one => one.total)).toEqual([50_000, 1]);
});

test('consents above 5,000 go in several requests; a bad one tells how many were stored before it', async () => {
  const record = consentEntry() as ConsentRecord;
  const records = numbers(5_001, 600_000).map(recipient => ({ ...record, recipient }));
  await peyk.iysRegister(brandCode, records);
  const last = { ...record, recipient: 'nobody' };
  const error = await peyk.iysRegister(brandCode, [...records.slice(0, 5_000), last]).catch(one => one);
  expect(error).toMatchObject({ name: 'PeykPartlyDone', done: 5_000, cause: { code: 422 } });
  const stored = await app.db.query('select count(*)::int as n from consent_records where brand = $1', [brandCode]);
  expect(stored.rows[0]!.n).toBeGreaterThanOrEqual(5_001);
});

test('an order whose answers get lost is sent once', async () => {
  const text = freshText();
  const line = losing(2);
  const { orderId } = await clientOf({ fetch: line.fetch }).sendSms({ sender, text, to: number() });
  expect(line.asked()).toBe(3);
  expect(await ordersOf(text)).toEqual([{ id: Number(orderId), total: 1 }]);
});

test('what cannot be repeated without harm is asked once, and its outcome is said to be unsure', async () => {
  await peyk.addBlacklist(number(902));
  const line = losing(1);
  const error = await clientOf({ fetch: line.fetch })
    .deleteBlacklist(number(902))
    .catch(one => one);
  expect(error).toBeInstanceOf(PeykUnavailable);
  expect(error).toMatchObject({ unsure: true, attempts: 1, httpStatus: null });
  expect(line.asked()).toBe(1);
  await expect(clientOf({ fetch: losing(9).fetch }).getBalance()).rejects.toMatchObject({ unsure: false, attempts: 3 });
});

test('where nobody was connected to nothing was done, and that is said', async () => {
  const gone = createServer();
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise(resolve => gone.close(resolve));
  const nobody = clientOf({ baseUrl: `http://127.0.0.1:${port}`, attempts: 1, fetch: globalThis.fetch });
  const text = freshText();
  await expect(nobody.sendSms({ sender, text, to: number() })).rejects.toMatchObject({
    unsure: false,
    httpStatus: null,
  });
  await expect(nobody.deleteBlacklist(number(903))).rejects.toMatchObject({ unsure: false });
  // One of several tries may have reached it.
  let asked = 0;
  const mixed = (async (...given: Parameters<typeof fetch>) => {
    if (++asked === 1) await fetch(...given);
    throw Object.assign(new TypeError('fetch failed'), {
      cause: { code: asked === 1 ? 'ECONNRESET' : 'ECONNREFUSED' },
    });
  }) as typeof fetch;
  await expect(clientOf({ fetch: mixed }).sendSms({ sender, text, to: number() })).rejects.toMatchObject({
    unsure: true,
  });
});

test('a refusal is recognised by its code and not repeated', async () => {
  const line = losing(0);
  const wrong = clientOf({ hash: 'wrong', fetch: line.fetch });
  const error: unknown = await wrong.getBalance().catch(one => one);
  expect(isPeykError(error, 401) && error.code).toBe(401);
  expect(isPeykError(error, 402, 451)).toBe(false);
  expect(line.asked()).toBe(1);
  expect(JSON.stringify([wrong, error])).not.toContain(account.key);
  const noText = await peyk.sendSms({ sender, text: '', to: number() }).catch(one => one);
  expect(noText).toMatchObject({ code: 454, message: 'Mesaj metni boş', operation: 'send-sms' });
});

test('a page of HTML, a redirect or a server in trouble is no answer', async () => {
  const answering = (answer: () => Response) => clientOf({ fetch: async () => answer() }).getBalance();
  const html = () => new Response('<html>', { status: 502, headers: { 'retry-after': '0' } });
  await expect(answering(html)).rejects.toMatchObject({ name: 'PeykUnavailable', httpStatus: 502, attempts: 3 });
  const moved = () => new Response(null, { status: 308, headers: { location: 'https://elsewhere.example.com' } });
  await expect(answering(moved)).rejects.toMatchObject({ httpStatus: 308, attempts: 1 });
  expect(() => clientOf({ baseUrl: 'ftp://sms.example.com' })).toThrow(TypeError);
});

test('an aborted call ends at once, also between two attempts', async () => {
  const stop = new AbortController();
  const silent: typeof fetch = async () => {
    queueMicrotask(() => stop.abort(new Error('enough')));
    return new Response('', { status: 503, headers: { 'retry-after': '20' } });
  };
  await expect(clientOf({ fetch: silent }).getBalance({ signal: stop.signal })).rejects.toThrow('enough');
});

test('times are Turkey’s, whatever the zone of the machine', () => {
  const time = new Date('2026-05-01T07:00:00Z');
  expect(toTurkeyTime(time)).toBe('2026-05-01 10:00:00');
  expect(fromTurkeyTime('2026-05-01 10:00:00')).toEqual(time);
  expect(() => fromTurkeyTime('01/05/2026')).toThrow(RangeError);
});
