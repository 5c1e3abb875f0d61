import { createHmac, timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeader, standardSignature } from './signature.ts';

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

test('the signature is the HMAC of timestamp, full stop and body', () => {
  expect(signatureHeader(['s3cret'], 1_760_000_000, '{"a":"ğ"}')).toBe(`v1=${hex('s3cret', '1760000000.{"a":"ğ"}')}`);
});

test('the Standard Webhooks signature is that of the specification’s example', () => {
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(standardSignature([key], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

/**
 * Verifies as `standardwebhooks` and `svix` do: the secret is base64, with or without `whsec_`; any of the signatures may
 * match.
 */
function isVerified(secret: string, headers: { id: string; timestamp: string; signature: string }, body: string) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${headers.id}.${headers.timestamp}.${body}`).digest();
  return headers.signature.split(' ').some(one => {
    const [version, value] = one.split(',');
    const given = Buffer.from(value!, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

test('a library of Standard Webhooks verifies with the secret in base64, also while it is being replaced; nothing else', () => {
  const body = '{"report":{"body":"Ğünaydın"}}';
  const [fresh, old] = ['yeni-gizli-anahtar', 'eski-gizli-anahtar'];
  const headers = { id: '7-9', timestamp: '5', signature: standardSignature([fresh, old], '7-9', 5, body) };
  const base64 = (secret: string) => Buffer.from(secret).toString('base64');
  for (const secret of [fresh, old])
    for (const prefix of ['', 'whsec_']) expect(isVerified(prefix + base64(secret), headers, body)).toBe(true);
  expect(isVerified(base64('another'), headers, body)).toBe(false);
  expect(isVerified(base64(fresh), headers, body.replace('Ğ', 'G'))).toBe(false);
  expect(isVerified(base64(fresh), { ...headers, id: '7-8' }, body)).toBe(false);
  expect(isVerified(base64(fresh), { ...headers, timestamp: '6' }, body)).toBe(false);
});

test('while a secret is being replaced both secrets sign, the current one first', () => {
  const header = signatureHeader(['new', 'old'], 5, '{}');
  expect(header).toBe(`v1=${hex('new', '5.{}')},v1=${hex('old', '5.{}')}`);
});
