import { expect, test } from 'vitest';
import { addressAllowed, canonicalAddress, networkOf } from './address.ts';

test('every spelling of an address has one canonical form', () => {
  expect(canonicalAddress(' 10.1.2.3 ')).toBe('10.1.2.3');
  expect(canonicalAddress('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(canonicalAddress('::FFFF:0A01:0203')).toBe('10.1.2.3');
  expect(canonicalAddress('2001:DB8:0:0:0:0:0:1')).toBe('2001:db8::1');
});

test('what is no single address has none', () => {
  for (const text of [
    '',
    '10.1.2',
    '10.1.2.3.4',
    '256.1.1.1',
    '010.1.2.3',
    '10.0.0.0/8',
    'fe80::1%eth0',
    'localhost',
    '1',
  ])
    expect(canonicalAddress(text)).toBeNull();
});

test('an empty list allows every address, any other only its own', () => {
  expect(addressAllowed([], 'anything')).toBe(true);
  expect(addressAllowed(['10.1.2.3'], '::ffff:10.1.2.3')).toBe(true);
  expect(addressAllowed(['10.1.2.3'], '10.1.2.4')).toBe(false);
  expect(addressAllowed(['10.1.2.3'], 'nonsense')).toBe(false);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  // As version 2 of the PROXY protocol names it.
  ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, group) => expect(networkOf(address)).toBe(group));
