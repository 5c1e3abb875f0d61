// Webhooks as the server signs them, and as somebody else would like to.
import { expect, test } from 'vitest';
import { signatureHeader } from '../../../src/webhooks/signature.ts';
import { verifyWebhook } from './webhook.ts';

const secret = 's3cret';
const body = '{"report":{"id":1,"packet_id":2,"status":"delivered","to":"+905550000000","body":"şğ"}}';
const seconds = 1_760_000_000;
const now = new Date(seconds * 1_000);

function headersOf(secrets: string[], given = body) {
  return {
    'X-Peyk-Delivery': '17',
    'X-Peyk-Timestamp': String(seconds),
    'X-Peyk-Signature': signatureHeader(secrets, seconds, given),
  };
}

test('a call that the server signed is verified and read, in every form of headers and body', async () => {
  const expected = { id: '17', event: JSON.parse(body) };
  const plain = headersOf([secret]);
  const lower = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toLowerCase(), [value]]));
  for (const headers of [plain, new Headers(plain), lower])
    for (const given of [body, Buffer.from(body), new TextEncoder().encode(body).buffer])
      expect(await verifyWebhook({ secret, headers, body: given, now })).toEqual(expected);
  expect(await verifyWebhook({ secret, headers: headersOf(['new', secret]), body, now })).toEqual(expected);
});

const signed = headersOf([secret]);
const later = new Date(now.getTime() + 301_000);
const bad: [string, Parameters<typeof verifyWebhook>[0]][] = [
  ['another secret', { secret: 'other', headers: signed, body, now }],
  ['an altered body', { secret, headers: signed, body: body.replace('1', '2'), now }],
  ['another time', { secret, headers: { ...signed, 'X-Peyk-Timestamp': String(seconds + 1) }, body, now }],
  ['a call of more than five minutes ago', { secret, headers: signed, body, now: later }],
  ['no headers', { secret, headers: {}, body, now }],
  ['a signature that is none', { secret, headers: { ...signed, 'X-Peyk-Signature': 'v1=zz,,v2=' }, body, now }],
];
for (const [what, call] of bad)
  test(`${what} is refused`, async () => {
    await expect(verifyWebhook(call)).rejects.toMatchObject({ name: 'PeykWebhookError' });
  });
