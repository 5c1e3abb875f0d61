// The forms in which published clients really send, and what each is answered: one table, over real sockets. Credentials,
// text and number are put in by the test; all else is as recorded.
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { texts } from '../../test/support/customers/answers.ts';
import { freshText, number, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';

// Failed authentications of one address are slowed; behind a trusted proxy each request has an address of its own.
const app = await testApp({ trustedProxies: ['127.0.0.1'] });
let callers = 0;
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000 });
const { key, hash } = account;

const urlEncoded = 'application/x-www-form-urlencoded';
const bom = '\uFEFF';

const order = () => ({ sender, message: { text: freshText(), receipents: { number: [number()] } } });
const json = (members: object = { order: order() }) =>
  JSON.stringify({ request: { authentication: { key, hash }, ...members } });
const xml = (inside = `<sender>${sender}</sender>${xmlMessage()}`) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<request><authentication><key>${key}</key><hash>${hash}</hash></authentication><order>${inside}</order></request>`;
const xmlMessage = () =>
  `<message><text><![CDATA[${freshText()}]]></text><receipents><number>${number()}</number></receipents></message>`;
const fields = (more: Record<string, string> = {}) =>
  new URLSearchParams({ key, hash, text: freshText(), receipents: number(), sender, ...more }).toString();
const multipart = (parts: Record<string, string>) =>
  `${Object.entries(parts)
    .map(([name, value]) => `--x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--x7--\r\n`;

type Answer = 'json' | 'xml';
type Form = [what: string, path: string, contentType: string | null, body: () => string | Buffer, answer: Answer];

const forms: Form[] = [
  ['JSON', '/v1/send-sms/json', 'application/json', json, 'json'],
  ['JSON with a charset', '/v1/send-sms/json', 'application/json; charset=utf-8', json, 'json'],
  ['JSON of another vendor', '/v1/send-sms/json', 'application/vnd.x+json', json, 'json'],
  ['JSON as plain text', '/v1/send-sms/json', 'text/plain;charset=UTF-8', json, 'json'],
  ['JSON as a form', '/v1/send-sms/json', urlEncoded, json, 'json'],
  ['JSON as XML', '/v1/send-sms/json', 'text/xml', json, 'json'],
  ['JSON without a content type', '/v1/send-sms/json', null, json, 'json'],
  ['JSON under a content type that is none', '/v1/send-sms/json', 'Content-Type: application/json', json, 'json'],
  ['JSON with a byte order mark', '/v1/send-sms/json', 'application/json', () => bom + json(), 'json'],
  ['JSON after a line break', '/v1/send-sms/json', null, () => `\r\n${json()}\n`, 'json'],
  ['JSON in a field', '/v1/send-sms/json', urlEncoded, () => new URLSearchParams({ data: json() }).toString(), 'json'],
  ['JSON below doubled slashes', '//v1/send-sms/json', 'application/json', json, 'json'],
  ['JSON below doubled slashes further on', '/v1//send-sms//json//', 'application/json', json, 'json'],
  ['JSON in other letter case', '/V1/Send-SMS/JSON', 'application/json', json, 'json'],
  ['JSON with a slash at the end and a query', '/v1/send-sms/json/?a=1', 'application/json', json, 'json'],
  ['JSON at the XML path', '/v1/send-sms', 'application/json', json, 'json'],
  ['JSON at the XML path as XML', '/v1/send-sms/', 'text/xml', () => bom + json(), 'json'],
  ['JSON at the GET path', '/v1/send-sms/get/', 'application/json', json, 'json'],
  ['XML', '/v1/send-sms', 'text/xml', xml, 'xml'],
  ['XML as application/xml', '/v1/send-sms/', 'application/xml; charset=utf-8', xml, 'xml'],
  ['XML as plain text', '/v1/send-sms', 'text/plain', xml, 'xml'],
  ['XML as JSON', '/v1/send-sms', 'application/json', xml, 'xml'],
  ['XML without a content type', '/v1/send-sms', null, xml, 'xml'],
  ['XML under a content type that is none', '/v1/send-sms', 'xml', xml, 'xml'],
  ['XML under a doubled header', '/v1/send-sms', 'Content-Type: text/xml', xml, 'xml'],
  ['XML with a byte order mark', '/v1/send-sms', 'text/xml', () => bom + xml(), 'xml'],
  ['XML under a form content type', '/v1/send-sms', urlEncoded, xml, 'xml'],
  ['XML in a form field', '/v1/send-sms', urlEncoded, () => new URLSearchParams({ data: xml() }).toString(), 'xml'],
  ['XML in a form field, called XML', '/v1/send-sms', 'text/xml', () => `data=${encodeURIComponent(xml())}`, 'xml'],
  ['XML in a form field, not encoded', '/v1/send-sms', urlEncoded, () => `data=${xml()}`, 'xml'],
  ['XML encoded without a name', '/v1/send-sms', urlEncoded, () => encodeURIComponent(xml()), 'xml'],
  ['XML encoded for a name', '/v1/send-sms', urlEncoded, () => `${encodeURIComponent(xml())}=`, 'xml'],
  ['XML in multipart', '/v1/send-sms', 'multipart/form-data; boundary=x7', () => multipart({ data: xml() }), 'xml'],
  ['XML in multipart, called XML', '/v1/send-sms', 'text/xml', () => multipart({ data: xml() }), 'xml'],
  [
    'XML in multipart, no boundary named',
    '/v1/send-sms',
    'multipart/form-data',
    () => multipart({ data: xml() }),
    'xml',
  ],
  ['XML below doubled slashes in capitals', '//V1//SEND-SMS', 'text/xml', xml, 'xml'],
  ['XML at the GET path', '/v1/send-sms/get/', 'text/xml', xml, 'xml'],
  ['XML in a field at the GET path', '/v1/send-sms/get/', null, () => `data=${encodeURIComponent(xml())}`, 'xml'],
  ['fields at the GET path', '/v1/send-sms/get/', urlEncoded, fields, 'xml'],
  ['fields at the GET path as plain text', '/v1/send-sms/get', 'text/plain', fields, 'xml'],
  ['fields at the GET path without a content type', '//v1/send-sms//GET/', null, fields, 'xml'],
  [
    'multipart fields at the GET path',
    '/v1/send-sms/get/',
    'multipart/form-data; boundary=x7',
    () => multipart(Object.fromEntries(new URLSearchParams(fields()))),
    'xml',
  ],
];

type Reply = { http: number; phrase: string; type: string; text: string };

async function call(
  path: string,
  options: { method?: string; type: string | null; body?: string | Buffer },
): Promise<Reply> {
  const headers = { 'content-type': options.type ?? undefined, 'x-forwarded-for': `10.0.0.${++callers % 250}` };
  const { method = 'POST', body = '' } = options;
  const answer = await app.client.open(`${app.url}${path}`, { method, headers, body });
  const text = await readText(answer);
  return { http: answer.statusCode!, phrase: answer.statusMessage!, type: answer.headers['content-type']!, text };
}

function expectForm(reply: Reply, answer: Answer): void {
  expect(reply.type).toBe(answer === 'json' ? 'application/json; charset=utf-8' : 'text/xml; charset=utf-8');
  if (answer === 'json') expect(JSON.parse(reply.text).response.status.code).toBe(reply.http);
  else expect(reply.text).toContain(`<response>\n  <status>\n    <code>${reply.http}</code>\n`);
}

for (const [what, path, type, body, answer] of forms)
  test(`${what} is read, and answered in ${answer.toUpperCase()}`, async () => {
    const reply = await call(path, { type, body: body() });
    expect([reply.http, reply.phrase]).toEqual([200, 'OK']);
    expectForm(reply, answer);
    expect(reply.text).toMatch(/(<id>|"id":")\d{9}/);
  });

test('wrong credentials are answered in the form in which the request came, by every form', async () => {
  for (const [what, path, type, body, answer] of forms) {
    const reply = await call(path, {
      type,
      body: body()
        .toString()
        .replaceAll(hash, `${hash.slice(1)}0`),
    });
    expect([what, reply.http, reply.phrase]).toEqual([what, 401, 'Uyelik bilgileri hatali']);
    expectForm(reply, answer);
  }
});

const broken: Form[] = [
  ['half of a JSON body', '/v1/send-sms/json', 'application/json', () => json().slice(0, -9), 'json'],
  ['XML at the JSON path', '/v1/send-sms/json', 'text/xml', xml, 'json'],
  ['half of a JSON body at the XML path', '/v1/send-sms', 'text/xml', () => json().slice(0, -9), 'json'],
  ['half of an XML body', '/v1/send-sms', 'text/xml', () => xml().slice(0, -9), 'xml'],
  ['half of an XML body called JSON', '/v1/send-sms', 'application/json', () => xml().slice(0, -9), 'xml'],
  ['nothing at the XML path', '/v1/send-sms', null, () => '', 'xml'],
  ['nothing at the XML path, called JSON', '/v1/send-sms', 'application/json', () => '', 'json'],
  ['a document given twice', '/v1/send-sms', urlEncoded, () => 'data=%3Ca&data=%3Cb', 'xml'],
  ['a field given twice', '/v1/send-sms/get/', urlEncoded, () => `${fields()}&text=x`, 'xml'],
  ['too large a body', '/v1/send-sms', 'text/xml', () => Buffer.alloc(33 * 1024 * 1024, ' '), 'xml'],
];

for (const [what, path, type, body, answer] of broken)
  test(`${what} is 400 in ${answer.toUpperCase()}`, async () => {
    const reply = await call(path, { type, body: body() });
    expect([reply.http, reply.phrase]).toEqual([400, 'Istek cozumlenemedi']);
    expectForm(reply, answer);
  });

test('every status text has a phrase of plain letters', async () => {
  const { reasonPhrase, statusTexts } = await import('../status.ts');
  for (const [code, text] of Object.entries(statusTexts))
    expect(reasonPhrase(Number(code), text)).toMatch(/^[A-Za-z0-9 .,]+$/);
  expect(reasonPhrase(452, texts[452]!)).toBe('Mesaj alicilari hatali');
  expect(reasonPhrase(450, texts[450]!)).toBe('Gonderilen baslik kullanima uygun degil');
});

test('refusals say why in the reason phrase, wherever they arise', async () => {
  const refused = async (path: string, body: string) => (await call(path, { type: null, body })).phrase;
  expect(await refused('/v1/send-sms/json', json({ order: { ...order(), sender: 'BASKA' } }))).toBe(
    'Gonderilen baslik kullanima uygun degil',
  );
  const twice = json();
  expect(await refused('/v1/send-sms/json', twice)).toBe('OK');
  expect(await refused('/v1/send-sms/json', twice)).toBe('Tekrar eden siparis');
  expect(await refused('/v1/cancel-order', xml('<id>1</id>'))).toBe('Siparis bulunamadi');
  for (const path of ['/v1/none', '/v1/none/json', '/none'])
    expect(await refused(path, '')).toBe('API istek yapilan yonteme sahip degil');
});

test('nothing of all this was a fault of the server', () => {
  expect(app.faults).toEqual([]);
});
