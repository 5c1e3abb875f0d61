// The stored numbers of encodings.
import type { Encoding } from '../text/alphabets.ts';

export const encodingCodes: Record<Encoding, number> = { gsm7: 0, 'turkish-locking': 1, 'turkish-single': 2, ucs2: 3 };
const names = Object.keys(encodingCodes) as Encoding[];

export function encodingName(code: number): Encoding {
  return names.find(name => encodingCodes[name] === code)!;
}
