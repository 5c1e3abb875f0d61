// The 7-bit alphabets an SMS in Turkey can use (3GPP TS 23.038): the default table, its extension, and the Turkish
// locking and single shift tables (language 1). The tables are data, 128 code positions each; the lookups built from
// them are typed arrays by UTF-16 code unit, because every character of every message passes through them.

export const ESC = 0x1b;

// Code = position. The ESC position holds U+001B itself and is never a character of a text.
export const DEFAULT_TABLE =
  '@£$¥èéùìòÇ\nØø\rÅå' +
  'Δ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ' +
  ' !"#¤%&\'()*+,-./' +
  '0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNO' +
  'PQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmno' +
  'pqrstuvwxyzäöñüà';

// Reached by ESC + code, so each costs two septets. 0x0A is the page break.
export const EXTENSION = new Map<number, string>([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
]);

// Header element 0x24 replaces the extension table, so it repeats the table's entries.
export const TURKISH_SINGLE_EXTENSION = new Map<number, string>([
  ...EXTENSION,
  [0x47, 'Ğ'],
  [0x49, 'İ'],
  [0x53, 'Ş'],
  [0x63, 'ç'],
  [0x67, 'ğ'],
  [0x69, 'ı'],
  [0x73, 'ş'],
]);

// Header element 0x25 replaces the default table; only the differing positions are listed.
const TURKISH_LOCKING_CHANGES = new Map<number, string>([
  [0x04, '€'],
  [0x07, 'ı'],
  [0x0b, 'Ğ'],
  [0x0c, 'ğ'],
  [0x1c, 'Ş'],
  [0x1d, 'ş'],
  [0x40, 'İ'],
  [0x60, 'ç'],
]);

export const TURKISH_LOCKING_TABLE = Array.from(
  DEFAULT_TABLE,
  (char, code) => TURKISH_LOCKING_CHANGES.get(code) ?? char,
).join('');

export const TURKISH_LETTERS = 'çğıöşüÇĞİÖŞÜ';

export type SeptetEncoding = 'gsm7' | 'turkish-locking' | 'turkish-single';
export type Encoding = SeptetEncoding | 'ucs2';

// By code unit: -1 = not in the alphabet, below 0x80 = one septet, 0x80 + code = ESC + code.
export const ESCAPED = 0x80;
// € (U+20AC) is the highest character of any table.
const LOOKUP_LENGTH = 0x20ad;

function lookupOf(table: string, extension: ReadonlyMap<number, string>): Int16Array {
  const lookup = new Int16Array(LOOKUP_LENGTH).fill(-1);
  for (const [code, char] of extension) lookup[char.charCodeAt(0)] = ESCAPED + code;
  // Second, so that € costs one septet if the locking table holds it.
  for (let code = 0; code < table.length; code++) {
    if (code !== ESC) lookup[table.charCodeAt(code)] = code;
  }
  return lookup;
}

export const LOOKUPS = {
  gsm7: lookupOf(DEFAULT_TABLE, EXTENSION),
  'turkish-locking': lookupOf(TURKISH_LOCKING_TABLE, EXTENSION),
  'turkish-single': lookupOf(DEFAULT_TABLE, TURKISH_SINGLE_EXTENSION),
} satisfies Record<SeptetEncoding, Int16Array>;

export function codeIn(lookup: Int16Array, unit: number): number {
  return unit < LOOKUP_LENGTH ? lookup[unit]! : -1;
}

/** Returns the septets of the whole text, or -1 if the alphabet lacks one of its characters. */
export function septetsOf(text: string, encoding: SeptetEncoding): number {
  const lookup = LOOKUPS[encoding];
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codeIn(lookup, text.charCodeAt(i));
    if (code < 0) return -1;
    septets += code < ESCAPED ? 1 : 2;
  }
  return septets;
}
