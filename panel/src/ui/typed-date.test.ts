import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asTyped, dayAsTyped, readTyped, readTypedDay } from './typed-date.ts';

test('a date and time may be typed in the usual ways, and is written back as the language writes it', () => {
  for (const typed of ['15.11.2026 14:30', '15/11/2026 14:30', ' 15-11-2026, 14.30 '])
    expect(readTyped(typed)).toBe('2026-11-15 14:30:00');
  expect(readTyped('1.2.2027 9:05')).toBe('2027-02-01 09:05:00');
  expect(asTyped('2026-11-15 14:30:00', 'tr')).toBe('15.11.2026 14:30');
  expect(asTyped('2026-11-15 14:30', 'en')).toBe('15/11/2026 14:30');
  expect(asTyped(null, 'tr')).toBe('');
});

test('what is half typed or no day of the calendar is no time', () => {
  for (const typed of ['', '15.11', '15.11.2026', '31.02.2027 10:00', '10.13.2026 10:00', '10.10.2026 25:00', 'yarın'])
    expect(readTyped(typed), typed).toBeNull();
});

test('a day is typed and written back the same way, whatever the browser makes of dates', () => {
  for (const typed of ['15.11.2026', ' 15/11/2026 ', '15-11-2026']) expect(readTypedDay(typed)).toBe('2026-11-15');
  for (const typed of ['', '15.11', '31.02.2027', '2026-11-15', '15.11.2026 10:00'])
    expect(readTypedDay(typed)).toBeNull();
  expect(dayAsTyped('2026-11-15', 'tr')).toBe('15.11.2026');
  expect(dayAsTyped('2026-11-15', 'en')).toBe('15/11/2026');
  expect(dayAsTyped(undefined, 'tr')).toBe('');
});

test('no page leaves dates to the browser, which writes them in a language of its own', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tsx'));
  const native = /type="(date|datetime-local|month|week)"/;
  expect(sources.filter(name => native.test(readFileSync(join(root, name), 'utf8')))).toEqual([]);
});
