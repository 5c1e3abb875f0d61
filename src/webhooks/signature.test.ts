import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeader, standardSignature } from './signature.ts';

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

test('the signature is the HMAC of timestamp, full stop and body', () => {
  expect(signatureHeader(['s3cret'], 1_760_000_000, '{"a":"ğ"}')).toBe(`v1=${hex('s3cret', '1760000000.{"a":"ğ"}')}`);
});

test('libraries of Standard Webhooks verify with the secret in base64: id, timestamp and body, one value per secret', () => {
  const said = '7-9.5.{}';
  const base64 = (secret: string) => createHmac('sha256', secret).update(said).digest('base64');
  expect(standardSignature(['new', 'old'], '7-9', 5, '{}')).toBe(`v1,${base64('new')} v1,${base64('old')}`);
});

test('while a secret is being replaced both secrets sign, the current one first', () => {
  const header = signatureHeader(['new', 'old'], 5, '{}');
  expect(header).toBe(`v1=${hex('new', '5.{}')},v1=${hex('old', '5.{}')}`);
});
