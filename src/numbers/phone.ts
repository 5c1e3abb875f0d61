// Phone numbers as JavaScript numbers: the E.164 digits without the plus (905550000000, well below 2^53), so that 50,000 of
// them are one Float64Array and a set lookup is a number. Turkish mobile numbers are read by a loop over character codes and
// one lookup in the table of operators.ts; a library call per number would take 230 times as long. Foreign numbers, rare and
// only in abroad mode, go through that library.
import { createRequire } from 'node:module';
import { limits } from '../limits.ts';
import { blockOwner, blockOwners, blockSize, turkeyBase } from './operators.ts';

const TURKEY = 90;
// The longest valid input: 19 digits with a separator around each.
const inputLengthMax = 40;
// E.164 allows 15 digits; with 00 before them 17.
const digitsMax = 17;

/** Returns the number, or 0 if invalid: a Turkish mobile number in any usual form, or with `abroad` +… or 00… . */
export function parseNumber(input: unknown, abroad: boolean): number {
  if (typeof input === 'string') return parseString(input, abroad);
  // A number cannot hold the plus or 00 of a foreign number.
  if (typeof input === 'number') return turkishNumber(input >= turkeyBase ? input - turkeyBase : input);
  return 0;
}

/** parseNumber for list[from…to) into the same positions of `out`; 50,000 Turkish numbers without separators take some 2 ms. */
export function parseNumbers(
  list: readonly unknown[],
  abroad: boolean,
  out: Float64Array,
  from = 0,
  to = list.length,
): void {
  for (let i = from; i < to; i++) out[i] = parseNumber(list[i], abroad);
}

export function formatNumber(number: number): string {
  return `+${number}`;
}

/** What a report shows of an invalid number: as given, but shortened and cleaned for storage. */
export function badNumberText(input: unknown): string {
  const given = typeof input === 'object' && input !== null ? (Array.isArray(input) ? '[…]' : '{…}') : `${input ?? ''}`;
  // Cut before cleaning, because the input may be megabytes; the second cleaning handles a surrogate pair cut in half.
  const clean = withoutUnstorable(given.slice(0, 4 * limits.badNumberLength));
  return withoutUnstorable(clean.slice(0, limits.badNumberLength));
}

function withoutUnstorable(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\ud800-\udfff]/gu, '');
}

function parseString(input: string, abroad: boolean): number {
  const plain = parsePlain(input);
  if (plain !== 0) return plain;
  return input.length > inputLengthMax ? 0 : parseSpaced(input, abroad);
}

// What may precede the ten national digits, by its length, packed eight bits a character.
const PLAIN_PREFIXES = ['', '0', '90', '+90', '0090'].map(pack);

function pack(prefix: string): number {
  return Array.from(prefix).reduce((packed, char) => (packed << 8) | char.charCodeAt(0), 0);
}

// The usual case, a number without separators, twice as fast as the general one below: small integers only (`| 0`), and the
// five digits after the 5 are the position in the table. 0 = not of this kind, or invalid.
function parsePlain(input: string): number {
  const start = input.length - 10;
  if (start < 0 || start >= PLAIN_PREFIXES.length) return 0;
  let prefix = 0;
  for (let i = 0; i < start; i++) {
    const code = input.charCodeAt(i);
    // Characters beyond eight bits could be confused with two.
    if (code > 0xff) return 0;
    prefix = (prefix << 8) | code;
  }
  if (prefix !== PLAIN_PREFIXES[start] || input.charCodeAt(start) !== 0x35) return 0;
  let block = 0;
  for (let i = start + 1; i < start + 6; i++) {
    const digit = input.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    block = (block * 10 + digit) | 0;
  }
  let rest = 0;
  for (let i = start + 6; i < start + 10; i++) {
    const digit = input.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    rest = (rest * 10 + digit) | 0;
  }
  return blockOwners[block] === 0 ? 0 : turkeyBase + 5e9 + block * blockSize + rest;
}

function parseSpaced(input: string, abroad: boolean): number {
  let value = 0;
  let digits = 0;
  let hasPlus = false;
  for (let i = 0; i < input.length; i++) {
    const code = input.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) {
      value = value * 10 + (code - 0x30);
      digits++;
    } else if (code === 0x2b) {
      if (hasPlus || digits > 0) return 0;
      hasPlus = true;
    } else if (!isSeparator(code)) {
      return 0;
    }
  }
  if (digits > digitsMax) return 0;
  const turkish = turkishForm(value, digits, hasPlus);
  if (turkish !== 0) return turkish;
  return abroad ? foreignNumber(value, digits, hasPlus) : 0;
}

// Blanks (also the no-break ones of spreadsheets and web pages), dashes, round and square brackets.
export const separators = ' \t\r\n\u00a0\u202f()[]-‐‑‒–—―−';
const SEPARATORS = new Set(Array.from(separators, char => char.charCodeAt(0)));

function isSeparator(code: number): boolean {
  return code === 0x20 || SEPARATORS.has(code);
}

// `value` loses leading zeros, so the count of digits distinguishes the forms: 5… (10), 05… (11), 905… (12), 00905… (14), +905…
// (12).
function turkishForm(value: number, digits: number, hasPlus: boolean): number {
  if (digits === 12 || (digits === 14 && !hasPlus)) return value >= turkeyBase ? turkishNumber(value - turkeyBase) : 0;
  return (digits === 10 || digits === 11) && !hasPlus ? turkishNumber(value) : 0;
}

function turkishNumber(national: number): number {
  return Number.isInteger(national) && blockOwner(national) !== 0 ? turkeyBase + national : 0;
}

type Library = typeof import('libphonenumber-js/max');
let library: Library | undefined;

// Loading takes 35 ms and 9 MB, so it waits for the first foreign number and uses `require` to stay synchronous. A check takes
// 10 µs, so callers with tens of thousands should pass parseNumbers a range at a time.
function foreignNumber(value: number, digits: number, hasPlus: boolean): number {
  const e164 = String(value);
  // Exactly +… or 00…; no country code begins with zero.
  if (digits - e164.length !== (hasPlus ? 0 : 2) || e164.length > 15 || e164.startsWith(String(TURKEY))) return 0;
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as Library;
  const number = library.parsePhoneNumberFromString(`+${e164}`, { extract: false });
  // The library also accepts a trunk prefix after the country code; only the E.164 form itself counts here.
  return number?.isValid() && number.number === `+${e164}` ? value : 0;
}
