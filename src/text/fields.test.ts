import { expect, test } from 'vitest';
import { cutAtFields, fieldsIn, fillFields, valueOrFallback } from './fields.ts';

test('a value that looks like a placeholder is not filled again', () => {
  const values: Record<string, string> = { ad: '{kod}', kod: '7' };
  expect(fillFields('Sayın {Ad }, {kod} {yok}', field => values[field])).toBe('Sayın {kod}, 7 {yok}');
});

test('a field has one name however it is written, and İ and I fold as in Turkish', () => {
  expect(fieldsIn('{ad} { AD } {İsim} {ISIM} {müşteri no} {} {iki\nsatır}')).toEqual([
    'ad',
    'isim',
    'ısım',
    'müşteri no',
  ]);
});

test('cutting keeps every character, placeholders alone at the odd places', () => {
  const given = 'a{b} {c d}{';
  expect(cutAtFields(given)).toEqual(['a', '{b}', ' ', '{c d}', '{']);
  expect(cutAtFields(given).join('')).toBe(given);
});

test('a value of blanks counts as none', () => {
  expect([valueOrFallback('  ', 'x'), valueOrFallback(' a ', 'x'), valueOrFallback(undefined, undefined)]).toEqual([
    'x',
    'a',
    '',
  ]);
});
