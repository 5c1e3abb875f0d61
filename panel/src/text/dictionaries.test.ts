// The types make a missing key fail the build; this sees what types cannot: sentences left empty, left in the other
// language, or longer than the narrowest place they stand in.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditActions, details } from '../../../src/panel-api/audit/audit-words.ts';
import { panelSentences } from '../../../src/panel-api/words/errors.ts';
import { preferenceKeys, writePreference } from '../preferences.ts';
import { en } from './en.ts';
import { firstLanguage } from './language.ts';
import { tr } from './tr.ts';

type Leaf = { key: string; value: unknown };

function leavesOf(value: unknown, key = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ key, value }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, key ? `${key}.${name}` : name));
}

/** A sentence with its figures filled in. */
function said(value: unknown): string {
  if (typeof value === 'function') return String((value as (...given: unknown[]) => unknown)('12', '34', '56'));
  return String(value);
}

const turkish = leavesOf(tr);
const english = new Map(leavesOf(en).map(leaf => [leaf.key, leaf.value]));

test('both languages have the same keys, and a sentence takes the same figures in both', () => {
  expect([...english.keys()].sort()).toEqual(turkish.map(leaf => leaf.key).sort());
  const uneven = turkish.filter(({ key, value }) => typeof value !== typeof english.get(key));
  expect(uneven.map(leaf => leaf.key)).toEqual([]);
});

test('no sentence is empty', () => {
  const empty = [...turkish, ...leavesOf(en)].filter(({ value }) => said(value).trim() === '');
  expect(empty.map(leaf => leaf.key)).toEqual([]);
});

test('an English sentence about one thing has it in the singular', () => {
  const ofOne = leavesOf(en).flatMap(({ key, value }) =>
    typeof value === 'function' ? [{ key, text: String(value('1', '1', '1')) }] : [],
  );
  // Words that end in s and are not plurals, or do not belong to the figure.
  const singular = /\b(goes|waits|ms|address|has|was|is|its|as)\b/g;
  const plural = /\b1 (\w+ )?[a-z]+s\b|\b1 people\b|\b1 [\w ]*\b(are|were)\b/;
  const wrong = ofOne.filter(({ text }) => plural.test(text.replace(singular, '')));
  expect(wrong.map(({ key, text }) => `${key}: ${text}`)).toEqual([]);
});

test('the first language is the one chosen here, or else the first of the browser’s that we speak', () => {
  expect([['en-GB', 'tr'], ['de', 'tr-TR', 'en'], ['de-DE', 'en-US'], ['fr'], []].map(firstLanguage)).toEqual([
    'en',
    'tr',
    'en',
    'tr',
    'tr',
  ]);
  writePreference(preferenceKeys.language, 'tr');
  expect(firstLanguage(['en'])).toBe('tr');
  writePreference(preferenceKeys.language, null);
});

// A number in a sentence has no thousands separators, so what may exceed 999 is given as text by `number()`. These never do.
const small =
  'accepted answer closed column diffNote faults faults filtersOn full full head next open parts partsGiven progress publishTitle sentMany sheetsNote slotOfCell split tooLong twoFactorOn version versionOf';

test('a figure in a sentence is given as it is written, with thousands separators', () => {
  const folder = new URL('tr/', import.meta.url);
  const raw = readdirSync(folder).flatMap(file =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/(\w+): \(([^()]*: number[^()]*)\)/g)].map(
      ([, key]) => key!,
    ),
  );
  expect(raw.sort().join(' ')).toBe(small);
});

test('apostrophes are typographic', () => {
  const straight = [...turkish, ...leavesOf(en)].filter(({ value }) => /[\p{L}\d]'\p{L}/u.test(said(value)));
  expect(straight.map(leaf => `${leaf.key}: ${said(leaf.value)}`)).toEqual([]);
});

test('no English sentence is left in Turkish', () => {
  // Names of things that are written so in both.
  const names =
    /İYS|MERSİS|TSİ|Türkiye|Türkçe|Türk Telekom|Vazgeç|işletmeci|ş, ı, ğ|ç, ğ|[“"'‘(][^”"'’)]*[çğışöüÇĞİŞÖÜ][^”"'’)]*[”"'’)]/g;
  const left = leavesOf(en).filter(({ value }) => /[çğışöüÇĞİŞÖÜ]/.test(said(value).replace(names, '')));
  expect(left.map(leaf => `${leaf.key}: ${said(leaf.value)}`)).toEqual([]);
});

// A phone of 320 px leaves 296 px inside the page and 232 px inside a button in a card; at 14 px a letter of ours is
// 7.3 px wide on the average, and a line may be broken between words but not within one.
const letterPx = 7.3;
const pagePx = 296;
const menuPx = 200;

test('the longest word of every label fits a phone of 320 px', () => {
  const words = turkish.flatMap(({ key, value }) =>
    said(value)
      .split(/[\s/·,-]+/)
      .map(word => ({ key, word })),
  );
  const wide = words.filter(({ word }) => word.length * letterPx > pagePx && !/[<>{}:@]/.test(word));
  expect(wide.map(one => `${one.key}: ${one.word}`)).toEqual([]);
});

test('entries of the menu and of tabs fit on one line of it', () => {
  const labels = [...Object.entries(tr.nav), ...Object.entries(en.nav)].map(([key, value]) => ({
    key,
    text: said(value),
  }));
  const wide = labels.filter(({ text }) => text.length * letterPx > menuPx);
  expect(wide.map(one => `${one.key}: ${one.text}`)).toEqual([]);
});

// One word for one thing. A notice is what the bell shows; what is posted to a customer's server is a webhook.
const abandoned = {
  tr: [/şifre/i, /birazdan|az sonra|biraz bekle|bir süre daha/i, /bildirim adres/i],
  en: [
    /\bnotifications?\b/i,
    /\bshortly\b|a little later|for a while|in a moment|little while|wait a little/i,
    /\bpass ?phrase\b/i,
  ],
};
// Codes of the interface stand where developers read: API log, reference, keys and webhook. Elsewhere a sentence says it.
const developerPages = /^(apiLog|docs|webhook|access|apiAccess|oldLogin|keys|explorer|developers?)\b/;
const wireCode = /(?<![\d.,])(4(0[0-5]|22|5\d|6[4-9]|7[0-5])|11[0-5])(?![\d.,]?\d)/;

const spoken = [
  ...turkish.map(({ key, value }) => ({ key, tr: said(value), en: said(english.get(key)) })),
  ...panelSentences(),
  ...[auditActions, details].flatMap(words => Object.entries(words).map(([key, both]) => ({ key, ...both }))),
];

test('abandoned words stand in no sentence of the panel or its server, in neither language', () => {
  const found = spoken.flatMap(({ key, tr, en }) => [
    ...abandoned.tr.filter(word => word.test(tr)).map(() => `${key}: ${tr}`),
    ...abandoned.en.filter(word => word.test(en)).map(() => `${key}: ${en}`),
  ]);
  expect(found).toEqual([]);
  expect(leavesOf(tr.bell.title)[0]?.value).toBe('Bildirimler');
  const webhooks = turkish.filter(({ key, value }) => /webhook/i.test(key) && /bildirim/i.test(said(value)));
  expect(webhooks.map(leaf => leaf.key)).toEqual([]);
});

test('no code of the interface stands where people read instead of developers', () => {
  const found = spoken.filter(({ key, tr, en }) => !developerPages.test(key) && wireCode.test(`${tr} ${en}`));
  expect(found.map(one => `${one.key}: ${one.tr}`)).toEqual([]);
});

test('every sentence of the server stands in both languages, and a wait says how long', () => {
  const left = spoken.filter(({ tr, en }) => tr.trim() === '' || en.trim() === '' || /\{wait\}/.test(tr + en));
  expect(left.map(one => one.key)).toEqual([]);
  expect(panelSentences().find(one => one.key === 'unavailable')?.tr).toContain('yaklaşık 20 sn');
});
