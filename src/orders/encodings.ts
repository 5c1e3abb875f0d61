// The stored numbers of encodings.
import type { Encoding } from '../text/alphabets.ts';

const codes: Record<Encoding, number> = { gsm7: 0, 'turkish-locking': 1, 'turkish-single': 2, ucs2: 3 };
const names = Object.keys(codes) as Encoding[];

export function encodingCode(encoding: Encoding): number {
  return codes[encoding];
}

export function encodingName(code: number): Encoding {
  return names.find(name => codes[name] === code)!;
}
