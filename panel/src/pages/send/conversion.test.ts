import { expect, test } from 'vitest';
import { prepareText } from '../../../../src/text/prepare.ts';
import { conversionOf } from './conversion.ts';

test('Turkish letters are shown as converted and emoji as dropped in English mode', () => {
  expect(conversionOf('Şu an 🎉 ok', 'english')).toEqual({
    pieces: [
      { kind: 'changed', text: 'S' },
      { kind: 'same', text: 'u an ' },
      { kind: 'dropped', text: '🎉' },
      { kind: 'same', text: ' ok' },
    ],
    changed: 1,
    dropped: 1,
  });
});

test('a text that goes as it is has nothing to show', () => {
  expect(conversionOf('Plain text', 'english')).toBeNull();
  expect(conversionOf('Şu an 🎉', 'unicode')).toBeNull();
});

test('the pieces that are kept make up exactly the text that is sent', () => {
  for (const mode of ['english', 'turkish', 'unicode'] as const) {
    for (const given of [
      'İstanbul’da “çok” güzel — €5 👨‍👩‍👧 ğ',
      'a\u0327s\u0327 naïve Ωmega ŁÓDŹ',
      'tab\there\u200bzero',
    ]) {
      const kept = conversionOf(given, mode)?.pieces.filter(piece => piece.kind !== 'dropped') ?? [{ text: given }];
      expect(kept.map(piece => piece.text).join('')).toBe(prepareText(given, mode).text);
    }
  }
});

test('a placeholder is shown as it is written', () => {
  expect(conversionOf('{şehir} ş', 'english')?.pieces).toEqual([
    { kind: 'same', text: '{şehir} ' },
    { kind: 'changed', text: 's' },
  ]);
});
