import { beforeEach, describe, expect, test } from 'vitest';
import * as clock from '../../src/time/clock.ts';
import * as format from './format.ts';
import { loadLanguage } from './text/language.ts';

beforeEach(() => loadLanguage('tr'));

describe('Turkish forms', () => {
  test('figures, shares and money are written as in Turkey', () => {
    expect(format.number(1_234_567.5)).toBe('1.234.567,5');
    expect(format.percent(0.973)).toBe('%97,3');
    expect(format.percent(null)).toBe('–');
    // Six of 13,788 failed: not all of it.
    expect(format.percent(format.deliveryRate(13_782, 6))).toBe('%99,9');
    expect(format.percent(format.deliveryRate(1, 13_787))).toBe('%0,1');
    expect(format.percent(1)).toBe('%100');
    expect(format.percent(0)).toBe('%0');
    expect(format.money(1234.5)).toBe('₺1.234,50');
  });

  test('times are those of Turkey whatever the zone of the machine', () => {
    expect(format.dateTime('2026-11-15T11:32:05Z')).toBe('15.11.2026 14:32:05');
    expect(format.dateTime('2026-07-01T21:00:00Z')).toBe('02.07.2026 00:00:00');
  });

  test('a moment within an hour is relative to now, today an hour, then a day, and another year is written out', () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    const shown = (iso: string) => format.relative(iso, now);
    expect(shown('2026-11-15T11:59:40Z')).toBe('20 sn önce');
    expect(shown('2026-11-15T11:57:00Z')).toBe('3 dk önce');
    expect(shown('2026-11-15T12:04:00Z')).toBe('4 dk sonra');
    expect(shown('2026-11-15T08:08:00Z')).toBe('11:08');
    // 23:30 in Turkey: yesterday, although the same day in Greenwich began an hour later.
    expect(shown('2026-11-14T20:30:00Z')).toBe('dün 23:30');
    expect(shown('2026-11-14T21:30:00Z')).toBe('00:30');
    expect(shown('2026-11-16T07:00:00Z')).toBe('yarın 10:00');
    expect(shown('2026-11-13T12:00:00Z')).toBe('13 Kas 15:00');
    expect(shown('2025-11-13T12:00:00Z')).toBe('13.11.2025 15:00');
  });

  test('lengths of time show two units at most', () => {
    expect(format.duration(50)).toBe('<0,1 sn');
    expect(format.duration(1_240)).toBe('1,2 sn');
    expect(format.duration(125_000)).toBe('2 dk 5 sn');
    expect(format.duration(90_000_000)).toBe('1 gün 1 sa');
  });
});

test('English uses British forms of the same Turkey time', async () => {
  await loadLanguage('en');
  expect(format.number(1_234_567.5)).toBe('1,234,567.5');
  expect(format.dateTime('2026-11-15T11:32:05Z')).toBe('15/11/2026 14:32:05');
});

test('a length of time has no empty unit and no leading zero, and its days are a word', async () => {
  const lengths = [3_600_000, 3_840_000, 86_400_000, 97_200_000, 2 * 86_400_000, 1_500 * 86_400_000, 86_459_000];
  await loadLanguage('tr');
  expect(lengths.map(format.duration)).toEqual([
    '1 sa',
    '1 sa 4 dk',
    '1 gün',
    '1 gün 3 sa',
    '2 gün',
    '1.500 gün',
    '1 gün',
  ]);
  await loadLanguage('en');
  expect(lengths.map(format.duration)).toEqual([
    '1 h',
    '1 h 4 min',
    '1 day',
    '1 day 3 h',
    '2 days',
    '1,500 days',
    '1 day',
  ]);
});

test('numbers are shown with blanks and copied without', () => {
  for (const given of ['905550000000', '+905550000000', '05550000000', '5550000000']) {
    expect(format.phone(given)).toBe('+90 555 000 00 00');
  }
  expect(format.phone('123')).toBe('123');
  expect(format.phoneDigits('+90 555 000 00 00')).toBe('905550000000');
  expect(format.asTurkishMobile('0 (555) 000-00-00')).toBe('905550000000');
  expect(format.asTurkishMobile('12345')).toBeNull();
});

test('a search finds istanbul in any of its casings', () => {
  expect(new Set(['istanbul', 'ISTANBUL', 'İSTANBUL', 'İstanbul', 'ıstanbul'].map(format.fold)).size).toBe(1);
});

test('the delivery rate counts only what carriers ended', () => {
  expect(format.deliveryRate(3, 1)).toBe(0.75);
  expect(format.deliveryRate(0, 0)).toBeNull();
});

test('a schedule typed for Turkey means the same moment there and back', () => {
  const at = format.fromTurkeyTime('2026-11-15 23:59:00');
  expect(at.toISOString()).toBe('2026-11-15T20:59:00.000Z');
  expect(format.toTurkeyTime(at)).toBe('2026-11-15 23:59:00');
});

test("Turkey's time is the same in the console and in the program", () => {
  expect(format.turkeyOffset).toBe(clock.turkeyOffset);
  const at = new Date('2026-11-15T22:30:00Z');
  expect(format.toTurkeyTime(at)).toBe(clock.toTurkeyTime(at));
});
