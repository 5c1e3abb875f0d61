// Numbers in the spellings that must be understood, and what each is read as.
import fc from 'fast-check';

/** The carrier refuses it when it is submitted. */
export const refusedNumber = '+905550009002';
const local = ['5550000001', '5550000002', '5550000003', '5550000004', '5550009002'];
const foreign = ['+491701234567', '00447911123456'];
const bad = ['123', '555000', 'abc', '2125550000', '55500000012345'];

const spellings: ((ten: string) => string | number)[] = [
  ten => ten,
  ten => `90${ten}`,
  ten => `+90${ten}`,
  ten => `0${ten}`,
  ten => `0090${ten}`,
  ten => `0 (${ten.slice(0, 3)}) ${ten.slice(3, 6)}-${ten.slice(6)}`,
  ten => Number(ten),
];

const turkish = fc.tuple(fc.constantFrom(...local), fc.constantFrom(...spellings)).map(([ten, spell]) => spell(ten));

/** Any entry of a list of recipients. */
export const anyNumber: fc.Arbitrary<string | number> = fc.oneof(
  { arbitrary: turkish, weight: 12 },
  { arbitrary: fc.constantFrom(...foreign), weight: 1 },
  { arbitrary: fc.constantFrom(...bad), weight: 1 },
);

/** A number of ours as answers show it. */
export const anySubscriber: fc.Arbitrary<string> = fc.constantFrom(...local.map(ten => `+90${ten}`));

/** `+…`, or null when it is no number that this account may write to. */
export function readNumber(given: string | number, abroad: boolean): string | null {
  const digits = String(given).replace(/\D/g, '');
  const ten = digits.replace(/^(0090|90|0)(?=5\d{9}$)/, '');
  if (local.includes(ten)) return `+90${ten}`;
  const isForeign = foreign.includes(String(given));
  return abroad && isForeign ? `+${digits.replace(/^00/, '')}` : null;
}
