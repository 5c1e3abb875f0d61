// Turkish mobile number blocks and the first holder of each.

export type Operator = 'turkcell' | 'vodafone' | 'turktelekom' | 'other';

// The national plan as blocks by leading digits; a longer prefix comes after the shorter one that contains it. The plan changes
// a few times a year: a test compares the list with libphonenumber's. Only first holders are known, because numbers may have
// moved to another operator (portability, 2008).
const BLOCKS: readonly (readonly [prefix: string, holder: Operator])[] = [
  ['50', 'turktelekom'],
  ['53', 'turkcell'],
  // Networks of Northern Cyprus inside the Turkish plan differ from their mainland namesakes.
  ['53383', 'other'],
  ['53384', 'other'],
  ['53385', 'other'],
  ['53386', 'other'],
  ['53387', 'other'],
  ['54', 'vodafone'],
  ['54285', 'other'],
  ['54286', 'other'],
  ['54287', 'other'],
  ['54288', 'other'],
  ['55', 'turktelekom'],
  // Virtual operators and ranges whose holder is not published.
  ['510', 'other'],
  ['516', 'other'],
  ['51616', 'turkcell'],
  ['524', 'other'],
  ['561011', 'other'],
  ['56161', 'turkcell'],
  ['562', 'other'],
  ['564', 'other'],
  ['572', 'other'],
  ['574', 'other'],
  ['575', 'other'],
  ['5822', 'other'],
  ['5823', 'other'],
  ['5824', 'other'],
  ['5825', 'other'],
  ['594', 'other'],
  ['596', 'other'],
];

const HOLDERS = ['other', 'turkcell', 'vodafone', 'turktelekom'] as const satisfies readonly Operator[];

// One byte for each 10,000 numbers from 500 000 00 00: 0 = not a mobile number, else 1 + position in HOLDERS.
export const blockSize = 10_000;
export const blockOwners = new Uint8Array(1e9 / blockSize);
for (const [prefix, holder] of BLOCKS) {
  const from = (Number(prefix.padEnd(10, '0')) - 5e9) / blockSize;
  blockOwners.fill(1 + HOLDERS.indexOf(holder), from, from + 10 ** (6 - prefix.length));
}

export const turkeyBase = 900_000_000_000;

export function blockOwner(national: number): number {
  if (national < 5e9 || national >= 6e9) return 0;
  return blockOwners[Math.floor((national - 5e9) / blockSize)]!;
}

export function operatorOf(number: number): Operator {
  return HOLDERS[blockOwner(number - turkeyBase) - 1] ?? 'other';
}
