// The types make a missing key fail the build; this sees what types cannot: sentences left empty, left in the other
// language, or longer than the narrowest place they stand in.
import { expect, test } from 'vitest';
import { en } from './en.ts';
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
