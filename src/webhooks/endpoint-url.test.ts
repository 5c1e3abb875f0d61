import { expect, test } from 'vitest';
import { checkWebhookUrl } from './endpoint-url.ts';

const refused = [
  'http://hook.example/a',
  'ftp://hook.example/',
  'hook.example/a',
  'https://',
  'https:hook.example',
  'javascript:alert(1)',
  'https://user:word@hook.example/',
  'https://user@hook.example/',
  `https://hook.example/${'a'.repeat(2_000)}`,
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://intranet/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
];

test.each(refused)('%s is refused with a reason', url => {
  expect(() => checkWebhookUrl(url, false)).toThrow(/^Webhook adresi .+ \(webhook URL: .+\)$/);
});

test('a public https URL is accepted, without its fragment and surrounding space', () => {
  expect(checkWebhookUrl(' https://hook.example:8443/sms?x=1#part ', false)).toBe('https://hook.example:8443/sms?x=1');
});

test('an empty URL means none', () => {
  expect(checkWebhookUrl('  ', false)).toBe('');
});

test('the operator may allow plain http and private addresses, but never credentials', () => {
  expect(checkWebhookUrl('http://127.0.0.1:3000/h', true)).toBe('http://127.0.0.1:3000/h');
  expect(() => checkWebhookUrl('http://u:p@127.0.0.1/', true)).toThrow();
});
