// Reads the recipients of an order: parses numbers, merges a number that is given twice in one text, keeps the given order. For
// 50,000 recipients this costs about as much as parsing their JSON (bench/text-and-numbers.bench.mjs).

import { limits } from '../limits.ts';
import { breather } from '../loops/in-turns.ts';
import { NumberSet } from '../numbers/number-set.ts';
import { badNumberText, parseNumber, parseNumbers } from '../numbers/phone.ts';
import { nameDigest, nameHash } from '../sealing/content.ts';
import { Refusal } from '../status.ts';
import type { OrderDraft } from './draft.ts';

export type Recipients = {
  /** 0 for a bad number. */
  numbers: number[];
  /** The text of each recipient, from 1; null if there is only one text. */
  textNos: number[] | null;
  badAt: number[];
  badTexts: string[];
  /** Equal for equal sender, texts and sets of recipients. */
  fingerprint: bigint;
};

/** Entries as given, and the number of each: 0 for a bad one. */
type Entries = { given: readonly unknown[]; parsed: Float64Array };

/** Texts that are prepared, or whose recipients are read, between two pauses; takes 2 to 5 ms. */
export const textsPerTurn = 200;

/** 50,000 texts with a recipient each take half a second, so it pauses in between. */
export async function readRecipients(draft: OrderDraft, abroad: boolean): Promise<Recipients> {
  if (draft.fingerprint !== undefined && isLone(draft)) return loneRecipient(draft, draft.fingerprint, abroad);
  let count = 0;
  for (const one of draft.texts) count += one.recipients.length;
  requireCount(count);
  count = 0;
  const entries: Entries[] = [];
  for (const { recipients } of draft.texts) {
    const one = readEntries(recipients, abroad, draft.severalPerEntry === true);
    count += one.given.length;
    if (entries.push(one) % textsPerTurn === 0) await breather();
  }
  requireCount(count);
  const all: Recipients = {
    numbers: [],
    textNos: draft.texts.length > 1 ? [] : null,
    badAt: [],
    badTexts: [],
    fingerprint: 0n,
  };
  const nameOf = (i: number) => {
    const one = draft.texts[i]!;
    return `${one.text}\n${addText(all, entries[i]!, i + 1)}\n`;
  };
  const sender = `${String(draft.sender)}\n${draft.distinct ?? ''}`;
  const digest =
    draft.texts.length === 1 ? nameDigest(sender + nameOf(0)) : await digestOfMany(sender, draft.texts.length, nameOf);
  if (all.badAt.length === all.numbers.length) throw new Refusal(452);
  all.fingerprint = draft.fingerprint ?? digest.readBigInt64LE(0);
  return all;
}

function isLone({ texts }: OrderDraft): boolean {
  return texts.length === 1 && texts[0]!.recipients.length === 1;
}

/** With a given fingerprint only the number must be read: 0.2 µs instead of 4. */
function loneRecipient({ texts }: OrderDraft, fingerprint: bigint, abroad: boolean): Recipients {
  const number = parseNumber(texts[0]!.recipients[0], abroad);
  if (number === 0) throw new Refusal(452);
  return { numbers: [number], textNos: null, badAt: [], badTexts: [], fingerprint };
}

function requireCount(count: number): void {
  if (count === 0 || count > limits.recipientsPerOrder) throw new Refusal(452);
}

/** Looks for entries with several numbers only if an entry is bad: a number has no comma. */
function readEntries(given: readonly unknown[], abroad: boolean, severalPerEntry: boolean): Entries {
  const parsed = new Float64Array(given.length);
  parseNumbers(given, abroad, parsed);
  if (!severalPerEntry || !parsed.includes(0) || !given.some(isSeveral)) return { given, parsed };
  return readEntries(splitEntries(given), abroad, false);
}

function isSeveral(entry: unknown): entry is string {
  return typeof entry === 'string' && /[,;]/.test(entry);
}

// Bounds the work for 32 MB of commas.
const partsMax = 10 * limits.recipientsPerOrder;

/** Empty entries are left out. Stops at too many entries, which are refused. */
function splitEntries(given: readonly unknown[]): unknown[] {
  const entries: unknown[] = [];
  let parts = 0;
  for (const entry of given) {
    const split = isSeveral(entry) ? entry.split(/[,;]/, partsMax + 1) : [entry];
    parts += split.length;
    for (const one of split) if (split.length === 1 || (one as string).trim() !== '') entries.push(one);
    if (parts > partsMax || entries.length > limits.recipientsPerOrder) throw new Refusal(452);
  }
  return entries;
}

/** In pieces, so that thousands of texts are not copied into one string. */
async function digestOfMany(sender: string, count: number, nameOf: (i: number) => string): Promise<Buffer> {
  const digest = nameHash().update(sender);
  for (let i = 0; i < count; i++) {
    digest.update(nameOf(i));
    if (i % textsPerTurn === textsPerTurn - 1) await breather();
  }
  return digest.digest();
}

/** Adds the recipients of a text; returns the name of the set of its good numbers. */
function addText(all: Recipients, { given, parsed }: Entries, textNo: number): string {
  const good = new NumberSet(parsed.length);
  for (let i = 0; i < parsed.length; i++) if (parsed[i]! > 0) good.add(parsed[i]!);
  if (good.size === parsed.length) for (let i = 0; i < parsed.length; i++) all.numbers.push(parsed[i]!);
  else addMerged(all, given, parsed);
  if (all.textNos) while (all.textNos.length < all.numbers.length) all.textNos.push(textNo);
  return good.name;
}

function addMerged(all: Recipients, given: readonly unknown[], parsed: Float64Array): void {
  const seen = new Set<number | string>();
  for (let i = 0; i < parsed.length; i++) {
    const number = parsed[i]!;
    const name = number > 0 ? number : badNumberText(given[i]);
    if (seen.has(name)) continue;
    seen.add(name);
    all.numbers.push(number);
    if (number > 0) continue;
    all.badAt.push(all.numbers.length);
    all.badTexts.push(name as string);
  }
}
