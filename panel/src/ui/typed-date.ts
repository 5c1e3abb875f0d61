// Parses and formats a typed date and time: "15.11.2026 14:30" in Turkish, "15/11/2026 14:30" in English.
import type { Language } from '../text/language.ts';

const shape = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})[\s,]+(\d{1,2})[:.](\d{2})$/;

/** "2026-11-15 14:30:00", or null for anything that is not a valid time. */
export function readTyped(text: string): string | null {
  const [, day, month, year, hour, minute] = shape.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  const two = (part: string | undefined) => part!.padStart(2, '0');
  const value = `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:00`;
  const at = new Date(`${value.replace(' ', 'T')}Z`);
  // Days that a month does not have roll over, so they come out as another day.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 10)) ? value : null;
}

export function asTyped(value: string | null, language: Language): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d)/.exec(value ?? '') ?? [];
  if (time === undefined) return '';
  const mark = language === 'tr' ? '.' : '/';
  return `${day}${mark}${month}${mark}${year} ${time}`;
}

/** The same for a day: "2026-11-15", typed as "15.11.2026". */
export const readTypedDay = (text: string): string | null => readTyped(`${text.trim()} 00:00`)?.slice(0, 10) ?? null;

export const dayAsTyped = (day: string | undefined, language: Language): string =>
  asTyped(day ? `${day} 00:00` : null, language).slice(0, 10);
