import { expect, test } from 'vitest';
import { matchTotp, newTotpSecret, totpCode, totpStep } from './totp.ts';

// RFC 6238, appendix B: the ASCII secret 12345678901234567890, SHA-1, last six of eight digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at second %i is that of the standard', (second, code) => {
  expect(totpCode(secret, totpStep(second * 1000))).toBe(code);
});

test('a code counts one step early and late, with blanks in it, and never a second time', () => {
  const time = 1_700_000_000_000;
  const step = totpStep(time);
  for (const near of [step - 1, step, step + 1]) expect(matchTotp(secret, totpCode(secret, near), time, 0)).toBe(near);
  expect(matchTotp(secret, totpCode(secret, step + 2), time, 0)).toBeNull();
  expect(matchTotp(secret, totpCode(secret, step).replace(/^.../, '$& '), time, 0)).toBe(step);
  expect(matchTotp(secret, totpCode(secret, step), time, step)).toBeNull();
});

test('secrets are 160 bits in base 32 and differ', () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(made).not.toBe(newTotpSecret());
});
