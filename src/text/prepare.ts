// Computes what will be sent, and its price, from a customer's text and the account's character mode: the converted text, its
// encoding, its length in units of that encoding, and the credits of the published table. The split for the air (split.ts)
// deliberately counts differently: see README.md.
import { limits } from '../limits.ts';
import type { Encoding } from './alphabets.ts';
import { septetsOf } from './alphabets.ts';
import { composeMarks, dropUnsendable, toEnglish, toTurkish } from './convert.ts';

// Exported for other folders, which need the encoding's name with the prepared text.
export type Mode = 'english' | 'turkish' | 'unicode';
export type PreparedText = { text: string; encoding: Encoding; units: number; parts: number };

// Units of the first and of each following part, after room for the operator code.
const CREDIT_TABLE = {
  gsm7: { first: 155, following: 153 },
  'turkish-locking': { first: 150, following: 148 },
  'turkish-single': { first: 150, following: 148 },
  ucs2: { first: 65, following: 63 },
} as const satisfies Record<Encoding, { first: number; following: number }>;

const CONVERSIONS = {
  english: toEnglish,
  turkish: toTurkish,
  unicode: (text: string) => text,
} satisfies Record<Mode, (text: string) => string>;

// Cheapest first: a message never costs less in a later encoding than in an earlier one that can carry it.
const SEPTET_ENCODINGS = ['gsm7', 'turkish-locking', 'turkish-single'] as const;

// Ninety times the length of seven parts. A request may be one text of 30 million code units, which would take seconds to
// convert; longer texts are not converted and count as too long.
const givenLengthMax = 100_000;

/** `parts` may exceed a message's limit, and is 0 if nothing is left to send: the caller refuses both. */
export function prepareText(given: string, mode: Mode): PreparedText {
  if (given.length > givenLengthMax) return asTooLong(prepareText(given.slice(0, givenLengthMax), mode));
  const text = CONVERSIONS[mode](composeMarks(dropUnsendable(given)));
  for (const encoding of SEPTET_ENCODINGS) {
    const units = septetsOf(text, encoding);
    if (units >= 0) return { text, encoding, units, parts: creditsFor(units, encoding) };
  }
  return { text, encoding: 'ucs2', units: text.length, parts: creditsFor(text.length, 'ucs2') };
}

function asTooLong(start: PreparedText): PreparedText {
  return start.units === 0 ? start : { ...start, parts: Math.max(start.parts, limits.partsMax + 1) };
}

export function creditsFor(units: number, encoding: Encoding): number {
  const { first, following } = CREDIT_TABLE[encoding];
  if (units === 0) return 0;
  return units <= first ? 1 : 1 + Math.ceil((units - first) / following);
}
