// Converts a customer's text to what the alphabet can carry: nearest letters, no emoji, no invisible characters that a phone or
// the database rejects. Every function is linear in the text and idempotent, because a request's text can be megabytes long and
// a stored text is converted again when it is counted again.
import { codeIn, LOOKUPS, TURKISH_LETTERS } from './alphabets.ts';
import { NEAREST } from './nearest-letters.ts';

// Controls except LF and CR, the byte order mark, non-characters, and lone surrogates (the u flag reads a whole pair as one
// character, so only lone ones match).
const UNSENDABLE = /[\0-\t\v\f\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]/gu;

/** Removes forbidden characters; a tab becomes a blank and the C1 "next line" a line feed, so that words stay apart. */
export function dropUnsendable(text: string): string {
  return text.replace(UNSENDABLE, char => (char === '\t' ? ' ' : char === '\x85' ? '\n' : ''));
}

/** Whether a text contains only blanks and characters without a shape (zero width, variation selectors). */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

// Normalising a whole text at once is quadratic in ICU if marks of different classes alternate: 200,000 of them took 15 s. So
// marks are composed with their letter run by run; 30 is the bound of Unicode's stream-safe text format.
const marksMax = 30;
const LETTER_WITH_MARKS = /[\0-\u02ff\u0370-\uffff][\u0300-\u036f]+/g;
// A preceding mark of another script also belongs to the letter: sorted without it, the marks would be sorted again next time.
const MARK = /^\p{Mark}/u;

/** Joins letters with the marks that follow them: some systems write ş as s and a cedilla. */
export function composeMarks(text: string): string {
  return text.replace(LETTER_WITH_MARKS, run => {
    if (MARK.test(run)) return run;
    const composed = run.slice(0, 1 + marksMax).normalize('NFC');
    // The lower case of İ is i and a dot above in most programs; readers see an ordinary i.
    const undotted = /^i\u0307/.test(composed) ? composed.replace(/^i\u0307+/, 'i').normalize('NFC') : composed;
    return undotted.slice(0, 1 + marksMax);
  });
}

type Target = { keeps: (unit: number) => boolean; replacements: Map<string, string> };

// Caches at most this many replacements, so that a text with all of Unicode cannot fill the memory.
const replacementsMax = 20_000;

const turkish = new Set(Array.from(TURKISH_LETTERS, letter => letter.charCodeAt(0)));

// English keeps the GSM-7 characters except the Turkish letters among them (Ç Ö ö Ü ü), as the interface documents.
const ENGLISH: Target = {
  keeps: unit => codeIn(LOOKUPS.gsm7, unit) >= 0 && !turkish.has(unit),
  replacements: new Map(),
};
// Everything that the single shift table covers; the locking table covers less, and prepare.ts tries it first.
const TURKISH: Target = {
  keeps: unit => codeIn(LOOKUPS['turkish-single'], unit) >= 0,
  replacements: new Map(),
};

export function toEnglish(text: string): string {
  return toTarget(text, ENGLISH);
}

export function toTurkish(text: string): string {
  return toTarget(text, TURKISH);
}

function toTarget(text: string, target: Target): string {
  let converted = '';
  let keptFrom = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (target.keeps(unit)) continue;
    const isPair = unit >= 0xd800 && unit <= 0xdbff;
    const char = isPair ? text.slice(i, i + 2) : text.charAt(i);
    converted += text.slice(keptFrom, i) + replacementOf(char, target);
    if (isPair) i++;
    keptFrom = i + 1;
  }
  return keptFrom === 0 ? text : converted + text.slice(keptFrom);
}

function replacementOf(char: string, target: Target): string {
  const known = target.replacements.get(char);
  if (known !== undefined) return known;
  const found = findReplacement(char, target);
  if (target.replacements.size < replacementsMax) target.replacements.set(char, found);
  return found;
}

// The table of exceptions first, then Unicode's decomposition without marks. A character that converts only partly is dropped,
// and so are pictographs that decompose to a letter (ℹ is not an i).
function findReplacement(char: string, target: Target): string {
  const nearest = NEAREST.get(char);
  if (nearest === undefined && /\p{Extended_Pictographic}/u.test(char)) return '';
  let replacement = '';
  for (const step of nearest ?? char.normalize('NFKD').replace(/\p{Mark}/gu, '')) {
    const expressed = target.keeps(step.charCodeAt(0)) ? step : step === char ? '' : findReplacement(step, target);
    if (expressed === '') return '';
    replacement += expressed;
  }
  return replacement;
}
