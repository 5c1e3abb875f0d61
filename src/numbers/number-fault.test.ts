import { expect, test } from 'vitest';
import { type NumberFault, numberFault } from './number-fault.ts';

const cases: [given: string, abroad: boolean, fault: NumberFault | null][] = [
  ['0555 000 00 00', false, null],
  ['+49 1512 3456789', true, null],
  ['', false, 'empty'],
  ['  ', false, 'empty'],
  ['9,05551E+11', false, 'damaged'],
  ['yok', false, 'not-digits'],
  ['555 000 00 00 (ev)', false, 'not-digits'],
  ['123', false, 'too-short'],
  ['0555 000 00 0', false, 'too-short'],
  ['90555000000', false, 'too-long'],
  ['0555 000 00 00 1', false, 'too-long'],
  ['+1', false, 'too-short'],
  ['0212 000 00 00', false, 'landline'],
  ['+902120000000', false, 'landline'],
  ['+49 1512 3456789', false, 'abroad-off'],
  ['0049 1512 3456789', false, 'abroad-off'],
  ['0599 000 00 00', false, 'not-in-use'],
  ['+49 999 999 999 99', true, 'not-in-use'],
];

test('every number that cannot be sent to has its reason', () => {
  expect(cases.map(([given, abroad]) => [given, abroad, numberFault(given, abroad)])).toEqual(cases);
});
