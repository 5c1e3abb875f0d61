// Texts around every bound of the published table, and what a message of each costs: 155/153 in English, 150/148 in Turkish,
// 65/63 in Unicode, counted after conversion.
import type { Mode } from './world.ts';

const partsMax = 7;
const bounds = {
  plain: { first: 155, following: 153 },
  turkish: { first: 150, following: 148 },
  unicode: { first: 65, following: 63 },
};

const repeated = (piece: string, count: number) => piece.repeat(count);

export const texts: string[] = [
  'Kod 1234',
  'Merhaba',
  'Şifreniz hazır',
  'Öğle yemeği 😀',
  'Liste [a]',
  repeated('a', 155),
  repeated('a', 156),
  repeated('a', 308),
  repeated('a', 309),
  repeated('[', 77) + repeated('a', 2),
  repeated('ş', 150),
  repeated('ş', 151),
  repeated('ş', 299),
  repeated('ж', 65),
  repeated('ж', 66),
  repeated('a', 155 + 6 * 153),
  repeated('a', 156 + 6 * 153),
  repeated('ş', 151 + 6 * 148),
  '',
  '   ',
  '😀',
];

// What neither of the two older alphabets has, of the letters used above.
const beyond = /[^\p{ASCII}çğıöşüÇĞİÖŞÜ]/gu;
const turkishLetters = /[çğıöşüÇĞİÖŞÜ]/g;
/** Those that plain GSM-7 has too. */
const inGsm7 = /[öüÖÜÇ]/g;
const countedTwice = /[[\]{}^~|\\]/g;

/** Credits of one message; 0 when nothing is left to send, null when it is too long. */
export function creditsOf(text: string, mode: Mode): number | null {
  const kept = mode === 'unicode' ? text : text.replace(beyond, '');
  if (kept.trim() === '') return 0;
  const { units, kind } = counted(kept, mode);
  const { first, following } = bounds[kind];
  const parts = units <= first ? 1 : 1 + Math.ceil((units - first) / following);
  return parts > partsMax ? null : parts;
}

function counted(text: string, mode: Mode): { units: number; kind: keyof typeof bounds } {
  const found = (letters: RegExp) => text.match(letters)?.length ?? 0;
  if (found(beyond) > 0) return { units: text.length, kind: 'unicode' };
  const isTurkish = mode !== 'english' && found(turkishLetters) > found(inGsm7);
  return { units: text.length + found(countedTwice), kind: isTurkish ? 'turkish' : 'plain' };
}

const plainLetters: Record<string, string> = {
  ...{ ç: 'c', ğ: 'g', ı: 'i', ö: 'o', ş: 's', ü: 'u' },
  ...{ Ç: 'C', Ğ: 'G', İ: 'I', Ö: 'O', Ş: 'S', Ü: 'U' },
};

/** What a phone shows of it, with the operator code; '' where that takes more than one part or more than ASCII. */
export function shownOnPhone(text: string, mode: Mode): string {
  const kept = mode === 'unicode' ? text : text.replace(beyond, '');
  const sent = mode === 'english' ? kept.replace(turkishLetters, letter => plainLetters[letter]!) : kept;
  return creditsOf(text, mode) === 1 && isPlain(sent) ? `${sent} B186` : '';
}

/** Without the characters that an alphabet of seven bits has elsewhere. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z0-9 ]*$/.test(text);
}
