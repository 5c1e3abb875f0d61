import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { texts } from '../../test/support/customers/answers.ts';
import type { HttpOptions } from '../../test/support/customers/client.ts';
import * as samples from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import type { Members } from '../api/envelope.ts';
import { operations } from '../api/operations.ts';
import { openXml } from '../api/xml.ts';
import { limits } from '../limits.ts';

const app = await testApp();
afterAll(() => app.close());

type XmlReply = { http: number; code: number; response: Members; text: string };

/** Sends anything; the answer must be an XML envelope with matching status and text. */
async function send(path: string, options: HttpOptions): Promise<XmlReply> {
  const answer = await app.client.open(path, options);
  const text = await readText(answer);
  expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<response>\n {2}<status>\n {4}<code>/);
  // The reader of requests reads answers as well.
  const response = openXml('text/xml', Buffer.from(text.replaceAll('response>', 'request>')));
  const status = response['status'] as { code: string; message: string };
  expect(status).toEqual({ code: String(answer.statusCode), message: texts[answer.statusCode!] });
  return { http: answer.statusCode!, code: Number(status.code), response, text };
}

function post(path: string, body: string | Buffer, contentType = 'text/xml'): Promise<XmlReply> {
  return send(path, { body, headers: { 'content-type': contentType } });
}

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map(one => element(name, one)).join('\n');
  if (typeof value !== 'object') return `<${name}>${value}</${name}>`;
  const members = Object.entries(value as object).map(([inner, one]) => element(inner, one));
  return `<${name}>\n${members.join('\n')}\n</${name}>`;
}

function document(account: { key: string; hash: string }, members: object): string {
  const authentication = { key: account.key, hash: account.hash };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('request', { authentication, ...members })}`;
}

function query(account: TestAccount, fields: Record<string, string> = {}): string {
  const sms = { text: samples.freshText(), receipents: samples.number(), sender: samples.sender };
  return new URLSearchParams({ key: account.key, hash: account.hash, ...sms, ...fields }).toString();
}

const ready = () => app.open({ senders: [samples.sender], brands: [samples.brandCode] });

/** JSON's values as XML shows them: all strings, a list of one as its entry, an empty one as nothing. */
function asXml(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? asXml(value[0]) : value.map(asXml);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, one]) => !(Array.isArray(one) && one.length === 0));
  if (members.length === 0) return '';
  return Object.fromEntries(
    members.map(([name, one]) => [name, name === 'orders' ? { order: asXml(one) } : asXml(one)]),
  );
}

test('every operation answers in XML what it answers in JSON', async () => {
  const account = await ready();
  await account.call('add-blacklist', { blacklist: { number: samples.number(901) } });
  const changes = new Set(['send-sms', 'cancel-order', 'add-blacklist', 'delete-blacklist', 'iys-register']);
  const inOrder = operations.toSorted((a, b) => Number(changes.has(b.name)) - Number(changes.has(a.name)));
  const sent = await account.send(samples.order());
  for (const operation of inOrder) {
    const scheduled = samples.order({ sendDateTime: samples.sendDateTime(86_400_000) });
    const orderId = operation.name === 'cancel-order' ? await account.send(scheduled) : sent;
    const members = samples.validMembers(operation.name, orderId);
    const reply = await post(`/v1/${operation.path}`, document(account, members));
    expect(reply.code, operation.name).toBe(200);
    if (changes.has(operation.name)) continue;
    const json = await account.call(operation.name, members);
    expect(structuredClone(reply.response), operation.name).toEqual(asXml(json.response));
  }
  expect(app.faults).toEqual([]);
});

test('an alias of an operation is served as XML too', async () => {
  const account = await ready();
  expect((await post('/v1/get-report-summary/', document(account, { filter: samples.today() }))).code).toBe(200);
});

test('several texts in one order reach their own recipients', async () => {
  const account = await ready();
  const message = [0, 1].map(i => ({ text: samples.freshText(), receipents: { number: samples.numbers(2, i * 2) } }));
  const reply = await post('/v1/send-sms', document(account, { order: { sender: samples.sender, message } }));
  const { id, orderId } = reply.response['order'] as { id: string; orderId: string };
  expect(orderId).toBe(id);
  const report = await account.call('get-report', { order: { id } });
  expect(report.response.order).toMatchObject({
    total: 4,
    message: samples.numbers(4).map(one => ({ number: `+90${one}` })),
  });
});

test('a document is accepted in a form field and under a form content type', async () => {
  const account = await ready();
  const form = 'application/x-www-form-urlencoded';
  const body = document(account, {});
  expect((await post('/v1/get-balance', new URLSearchParams({ data: body }).toString(), form)).code).toBe(200);
  expect((await post('/v1/get-balance', body, form)).code).toBe(200);
});

test('row_count and an empty order beside the credentials are accepted', async () => {
  const account = await ready();
  for (const i of [1, 2]) await account.call('add-blacklist', { blacklist: { number: samples.number(i) } });
  const page = await post('/v1/get-blacklist', document(account, { blacklist: { page: 2, row_count: 1 } }));
  expect(page.response['blacklist']).toMatchObject({ count: '2', number: samples.shown(2) });
  expect((await post('/v1/get-balance', document(account, { order: '' }))).code).toBe(200);
});

test('refusals carry their code, their text and their field errors in XML', async () => {
  const account = await ready();
  expect((await post('/v1/cancel-order', document(account, { order: { id: 1 } }))).code).toBe(455);
  expect((await post('/v1/cancel-order', document(account, {}))).code).toBe(400);
  expect((await post('/v1/get-balance', document({ key: account.key, hash: `${account.hash} ` }, {}))).code).toBe(401);
  const consent = { brandCode: samples.brandCode, list: samples.consentEntry({ type: 'YOK' }) };
  const invalid = await post('/v1/consent/create', document(account, { consent }));
  expect(invalid.code).toBe(422);
  expect(invalid.response['errors']).toHaveProperty(['list.0.type']);
});

test('the old login with user name and password answers 401', async () => {
  const authentication = { username: samples.number(), password: 'x' };
  expect((await post('/v1/get-balance', element('request', { authentication }))).code).toBe(401);
  const fields = `username=${samples.number()}&password=x&text=a&receipents=${samples.number()}&sender=PEYK`;
  expect((await send(`/v1/send-sms/get/?${fields}`, { method: 'GET' })).code).toBe(401);
});

test('bodies that cannot be read answer 400 in XML', async () => {
  const account = await ready();
  const body = document(account, {});
  expect((await post('/v1/get-balance', '')).code).toBe(400);
  expect((await post('/v1/get-balance', body.replace('<request>', '<!DOCTYPE request><request>'))).code).toBe(400);
  const large = Readable.from(
    (function* () {
      for (let bytes = 0; bytes <= limits.bodyBytes; bytes += 1024 * 1024) yield Buffer.alloc(1024 * 1024, ' ');
    })(),
  );
  expect((await send('/v1/send-sms', { body: large, headers: { 'content-type': 'text/xml' } })).code).toBe(400);
});

test('a fault of ours answers 503 in XML and shows nothing of its cause', async () => {
  const broken = await testApp({ own: true });
  try {
    const account = await broken.open();
    await broken.db.query('alter table balances rename to gone');
    const headers = { 'content-type': 'text/xml' };
    const answer = await broken.client.open('/v1/get-balance', { body: document(account, {}), headers });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(await readText(answer)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<response>\n  <status>\n    <code>503</code>\n    <message>${texts[503]}</message>\n  </status>\n</response>\n`,
    );
    expect(broken.faults).toHaveLength(1);
  } finally {
    await broken.close();
  }
});

test('paths that are no operation are 404 in XML, and in JSON for who speaks JSON', async () => {
  for (const path of ['/v1', '/v1/send-sms/xml', '/v1/nothing', '/v1/get-balance/get', '/v1//Nothing/'])
    expect((await post(path, '<request/>')).code).toBe(404);
  const plain = { 'content-type': 'text/plain' };
  expect((await send('/v1/get-balance?key=k', { method: 'GET', headers: plain })).code).toBe(404);
  for (const options of [{ method: 'GET' }, { body: '{"request":{}}', headers: plain }])
    expect((await app.client.send('/v1/nothing', options)).code).toBe(404);
  expect((await app.client.send('/v1/nothing/json', { body: '<request/>', headers: plain })).code).toBe(404);
});

test('an order is taken from a query string, by GET and by POST, with the fields in the address or in the body', async () => {
  const account = await ready();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const reply of [
    await send(`/v1/send-sms/get/?${query(account)}`, { method: 'GET' }),
    await send(`/v1/send-sms/get?${query(account)}`, { method: 'GET' }),
    await send(`/v1/send-sms/get/?${query(account)}`, { method: 'POST' }),
    await send('/v1/send-sms/get/', { method: 'POST', headers: form, body: query(account) }),
  ]) {
    expect(reply.code).toBe(200);
    const { id } = reply.response['order'] as { id: string };
    expect((await account.call('get-report', { order: { id } })).response.order).toMatchObject({ total: 1 });
  }
});

test('an encoding chooses the mode of an order in XML and in an address, and numbers are separated by commas', async () => {
  const account = await ready();
  const textOf = async (reply: XmlReply) => {
    const { id } = reply.response['order'] as { id: string };
    expect((await account.call('get-report', { order: { id } })).response.order!.total).toBe(2);
    return (await app.db.query('select text from order_texts where order_id = $1', [id])).rows[0].text;
  };
  const two = `${samples.number(0)};,${samples.number(1)},`;
  const message = () => ({ text: `Şu ${samples.freshText()}`, receipents: { number: two } });
  const inXml = (more: object) =>
    post('/v1/send-sms', document(account, { order: { sender: samples.sender, message: message(), ...more } }));
  const inAddress = (more: Record<string, string>) =>
    send(`/v1/send-sms/get/?${query(account, { text: message().text, receipents: two, ...more })}`, { method: 'GET' });
  for (const order of [inXml, inAddress]) {
    expect(await textOf(await order({ encoding: 'utf8' }))).toMatch(/^Şu/);
    expect(await textOf(await order({ encoding: 'gsm0338' }))).toMatch(/^Su/);
    expect(await textOf(await order({}))).toMatch(/^Su/);
  }
});

test('the query string form refuses with the codes of send-sms', async () => {
  const account = await ready();
  const get = (fields: Record<string, string>) =>
    send(`/v1/send-sms/get/?${query(account, fields)}`, { method: 'GET' }).then(reply => reply.code);
  expect(await get({ hash: 'x' })).toBe(401);
  expect(await get({ sender: 'peyk' })).toBe(450);
  expect(await get({ text: '' })).toBe(454);
  expect(await get({ receipents: '' })).toBe(452);
  expect(await get({ iys: '1' })).toBe(469);
  expect(await get({ sendDateTime: 'yarın' })).toBe(457);
  const garbled = query(account, { text: 'ZZ' }).replace('ZZ', '%FE');
  expect((await send(`/v1/send-sms/get/?${garbled}`, { method: 'GET' })).code).toBe(400);
});

test('an idempotency key covers the fields of the query string', async () => {
  const account = await ready();
  const headers = { 'idempotency-key': 'bir' };
  const fields = query(account);
  const get = (encoded: string) => send(`/v1/send-sms/get/?${encoded}`, { method: 'GET', headers });
  const first = await get(fields);
  expect(first.code).toBe(200);
  expect((await get(fields)).response['order']).toEqual(first.response['order']);
  expect((await get(query(account))).code).toBe(422);
});
