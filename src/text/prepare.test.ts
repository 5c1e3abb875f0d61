import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TURKISH_LETTERS } from './alphabets.ts';
import { isBlank } from './convert.ts';
import { NEAREST } from './nearest-letters.ts';
import type { Mode } from './prepare.ts';
import { creditsFor, prepareText } from './prepare.ts';

const MODES: readonly Mode[] = ['english', 'turkish', 'unicode'];
const textOf = (text: string, mode: Mode) => prepareText(text, mode).text;

// Anything that a request can contain: any code unit (also lone surrogates), marks, Turkish text, emoji.
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)),
      fc.constantFrom(
        '\u0301',
        '\u0307',
        '\u0316',
        '\u0327',
        '\u0344',
        '\u0315',
        'i',
        'I',
        's',
        '\0',
        '\u200d',
        '\ufe0f',
      ),
      fc.constantFrom(...TURKISH_LETTERS, '€', '[', 'è', 'Ω', '₺', '’', '👍🏽', '🇹🇷', '\ud83d', '\ude00', '\r\n', '\t'),
    ),
    { maxLength: 40 },
  )
  .map(pieces => pieces.join(''));

describe('English mode', () => {
  test('the twelve Turkish letters become their plain forms, also those that GSM-7 has', () => {
    expect(textOf('çğıöşüÇĞİÖŞÜ', 'english')).toBe('cgiosuCGIOSU');
  });

  test('the twelve Turkish letters in decomposed form become their plain forms too', () => {
    expect(textOf('çğıöşüÇĞİÖŞÜ'.normalize('NFD'), 'english')).toBe('cgiosuCGIOSU');
  });

  test('other letters of GSM-7 stay, Greek capitals included', () => {
    const text = '@£$¥èéùìòØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÑ§¿äñà^{}\\[~]|€';
    expect(prepareText(text, 'english')).toMatchObject({ text, encoding: 'gsm7' });
  });

  test.each([
    ['âîûêôáíóú', 'aiueoaiou'],
    ['łĐœŒþəș', 'lDoeOEthes'],
    ['“Merhaba” ‘dünya’ «x»', '"Merhaba" \'dunya\' "x"'],
    ['a–b—c…d\u00a0e\tf • g', 'a-b-c...d e f * g'],
    ['100 ₺ ±5 ½ m² ﬁ № ™ ©', '100 TL +/-5 1/2 m2 fi No TM (c)'],
    ['𝐀𝓫 Ｚ', 'Ab Z'],
    ['ẞ straße', 'SS straße'],
    ['1\ufe0f\u20e3 evet', '1 evet'],
  ])('%j becomes %j', (given, expected) => expect(textOf(given, 'english')).toBe(expected));

  test('emoji are dropped whole, with joiners, selectors, skin tones and flags', () => {
    expect(textOf('a😀b❤️c👨‍👩‍👧d👍🏽e🇹🇷fℹ️g☎️h', 'english')).toBe('abcdefgh');
  });

  test('letters of other scripts are dropped', () => {
    expect(textOf('aЖb漢c한dعeαfﷺg', 'english')).toBe('abcdefg');
  });

  test('every exception of the table leads to something sendable in every mode', () => {
    for (const from of NEAREST.keys()) for (const mode of MODES) expect(textOf(from, mode)).not.toBe('');
  });
});

describe('Turkish mode', () => {
  test('text that fits GSM-7 goes as GSM-7', () => {
    expect(prepareText('Ögle degil: Çok üzgünüz', 'turkish')).toMatchObject({
      text: 'Ögle degil: Çok üzgünüz',
      encoding: 'gsm7',
    });
  });

  test('Turkish letters are kept by the locking table, one unit each', () => {
    const text = 'çğıöşüÇĞİÖŞÜ €';
    expect(prepareText(text, 'turkish')).toEqual({ text, encoding: 'turkish-locking', units: 14, parts: 1 });
  });

  test('a letter missing in the locking table moves the text to single shift, Turkish letters two units each', () => {
    const text = 'şè';
    expect(prepareText(text, 'turkish')).toEqual({ text, encoding: 'turkish-single', units: 3, parts: 1 });
  });

  test('emoji are dropped, other letters brought near, decomposed Turkish letters composed', () => {
    expect(prepareText(`${'ş'.normalize('NFD')}â😀i\u0307 ș`, 'turkish').text).toBe('şai ş');
  });
});

describe('Unicode mode', () => {
  test.each([
    ['plain text', 'gsm7', 10],
    ['günaydın', 'turkish-locking', 8],
    ['ığè', 'turkish-single', 5],
    ['“a”', 'ucs2', 3],
    ['a😀', 'ucs2', 3],
    ['I\u0307stanbul gu\u0308nes\u0327i i\u0307c\u0327in', 'turkish-locking', 20],
  ] as const)('%j goes as %s', (text, encoding, units) => {
    expect(prepareText(text, 'unicode')).toMatchObject({ encoding, units });
  });

  test('text is kept as it is, but for lone surrogates, controls and NUL', () => {
    const text = 'Привет 👨‍👩‍👧 ❤️ 漢字\r\n';
    expect(textOf(text, 'unicode')).toBe(text);
    expect(textOf('\ud83dЖ\0\x07\x9f\ude00\ufeff', 'unicode')).toBe('Ж');
  });

  test('halves of a pair that a dropped character parted do not become an emoji', () => {
    expect(textOf('\ud83d\0\ude00Ж', 'unicode')).toBe('Ж');
  });
});

describe('every mode', () => {
  test.each(MODES)('%s: conversion is idempotent and encoding, units and parts stay', mode => {
    fc.assert(
      fc.property(anyText, text => {
        const once = prepareText(text, mode);
        expect(prepareText(once.text, mode)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(MODES)('%s: marks of several scripts behind one another stay as they are converted first', mode => {
    const once = prepareText('\u00a0\u0301\u0592\u0316', mode);
    expect(prepareText(once.text, mode)).toEqual(once);
  });

  test.each(MODES)('%s: CR LF stay, a tab becomes a blank, a next line a line feed', mode => {
    expect(textOf('a\r\nb\tc\x85d', mode)).toBe('a\r\nb c\nd');
  });

  test.each(MODES)('%s: a longer text never has fewer parts', mode => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 12 }), (text, times) => {
        const { parts } = prepareText(text.repeat(times), mode);
        expect(prepareText(text.repeat(times + 1), mode).parts).toBeGreaterThanOrEqual(parts);
      }),
    );
  });

  test.each([
    ['plain letters', 'a'],
    ['Turkish letters', 'ş'],
    ['emoji', '😀'],
    ['marks of alternating classes', '\u0301\u0316'],
    ['decomposed letters', 's\u0327'],
    ['replaced letters', 'â₺'],
    ['lone surrogates', '\ud83d'],
    ['blanks', ' '],
  ])('a text of %s as long as a request can hold is too long or empty, and is not read to its end', (_, unit) => {
    const text = unit.repeat(16_000_000 / unit.length);
    for (const mode of MODES) {
      const { parts, units } = prepareText(text, mode);
      expect(units).toBeLessThanOrEqual(200_000);
      expect(parts === 0 || parts > 7).toBe(true);
    }
    expect(isBlank(text)).toBe(unit === ' ');
  });

  test('a long text that is mostly dropped is still too long, one that is dropped whole is empty', () => {
    expect(prepareText(`a${'😀'.repeat(50_000)}`, 'english')).toMatchObject({ text: 'a', parts: 8 });
    expect(prepareText(`a${'😀'.repeat(49_999)}`, 'english')).toMatchObject({ text: 'a', parts: 1 });
    expect(prepareText('😀'.repeat(60_000), 'english')).toMatchObject({ text: '', parts: 0 });
  });
});

describe('credits', () => {
  test.each([
    ['gsm7', [155, 308, 461, 614, 767, 920, 1073]],
    ['turkish-locking', [150, 298, 446, 594, 742, 890, 1038]],
    ['turkish-single', [150, 298, 446, 594, 742, 890, 1038]],
    ['ucs2', [65, 128, 191, 254, 317, 380, 443]],
  ] as const)('%s: the last unit of each part is as published', (encoding, lastUnits) => {
    lastUnits.forEach((units, index) => {
      expect(creditsFor(units, encoding)).toBe(index + 1);
      expect(creditsFor(units + 1, encoding)).toBe(index + 2);
    });
  });

  test.each([
    ['english', 'a', 155, 1073],
    ['english', 'ş', 155, 1073],
    ['turkish', 'a', 155, 1073],
    ['turkish', 'ş', 150, 1038],
    ['unicode', 'a', 155, 1073],
    ['unicode', 'ş', 150, 1038],
    ['unicode', 'Ж', 65, 443],
  ] as const)('%s mode, text of %j: one part up to %i, seven up to %i', (mode, letter, one, seven) => {
    expect(prepareText(letter.repeat(one), mode).parts).toBe(1);
    expect(prepareText(letter.repeat(one + 1), mode).parts).toBe(2);
    expect(prepareText(letter.repeat(seven), mode).parts).toBe(7);
    expect(prepareText(letter.repeat(seven + 1), mode).parts).toBe(8);
  });

  test('extension characters and astral characters count two units', () => {
    expect(prepareText('[€]', 'english').units).toBe(6);
    expect(prepareText('😀'.repeat(32), 'unicode')).toMatchObject({ units: 64, parts: 1 });
    expect(prepareText('😀'.repeat(33), 'unicode')).toMatchObject({ units: 66, parts: 2 });
  });

  test('a text that conversion empties has no parts', () => {
    expect(prepareText('😀\0', 'english')).toEqual({ text: '', encoding: 'gsm7', units: 0, parts: 0 });
    expect(prepareText('', 'unicode').parts).toBe(0);
  });

  test('blanks and shapeless characters only are blank, anything visible is not', () => {
    for (const text of ['', ' \r\n\t', '\u00a0\u2003', '\u200b\u200d\ufe0f\u2060']) expect(isBlank(text)).toBe(true);
    for (const text of ['.', ' a ', '😀', '\u200bЖ']) expect(isBlank(text)).toBe(false);
  });
});
