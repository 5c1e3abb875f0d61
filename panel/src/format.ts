// Formats numbers, times and telephone numbers: Turkish or British forms, always Turkey's time, whatever the zone of
// the browser. The server sends times as ISO strings in UTC.
import { shownShare } from '../../src/text/rate.ts';
import { languageCode } from './text/language.ts';

export { deliveryRate } from '../../src/text/rate.ts';

export const zone = 'Europe/Istanbul';
/** The same as the server's (src/time/clock.ts); format.test.ts compares. */
export const turkeyOffset = '+03:00';
const locales = { tr: 'tr-TR', en: 'en-GB' } as const;
export const locale = (): string => locales[languageCode()];

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();
function cached<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => T,
): T {
  const full = `${locale()} ${key}`;
  const found = made.get(full) as T | undefined;
  if (found) return found;
  const fresh = make();
  made.set(full, fresh);
  return fresh;
}

export function number(value: number): string {
  return cached('number', () => new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 })).format(value);
}

/** A value that is not counted completely yet. */
export function atLeast(value: number, isComplete: boolean): string {
  return isComplete ? number(value) : `≥ ${number(value)}`;
}

/** For axes only: "1,2 Mn". */
export function compactNumber(value: number): string {
  return cached(
    'compact',
    () => new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }),
  ).format(value);
}

/** A share between 0 and 1; "–" if nothing was counted. Never %100 for less than all, never %0 for more than none. */
export function percent(share: number | null): string {
  if (share === null || Number.isNaN(share)) return '–';
  const options = { style: 'percent', maximumFractionDigits: 1 } as const;
  return cached('percent', () => new Intl.NumberFormat(locale(), options)).format(shownShare(share));
}

/** "5,2 MB", in steps of a thousand as browsers show file sizes. */
export function fileSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${number(Math.round((bytes / 1000 ** step) * 10) / 10)} ${units[step]}`;
}

export function money(value: number): string {
  const options = { style: 'currency', currency: 'TRY' } as const;
  return cached('money', () => new Intl.NumberFormat(locale(), options)).format(value);
}

const twoDigits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function dateTime(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...twoDigits, ...clock, second: '2-digit' });
  return cached('dateTime', make).format(new Date(iso)).replace(',', '');
}

export function dateMinute(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...twoDigits, ...clock });
  return cached('dateMinute', make).format(new Date(iso)).replace(',', '');
}

export function date(iso: string | Date): string {
  return cached('date', () => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...twoDigits })).format(
    new Date(iso),
  );
}

export function timeOfDay(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...clock, second: '2-digit' });
  return cached('time', make).format(new Date(iso));
}

export function hourMinute(iso: string | Date): string {
  return cached('hour', () => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...clock })).format(new Date(iso));
}

export function dayMonth(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, day: 'numeric', month: 'short' });
  return cached('dayMonth', make).format(new Date(iso));
}

export function weekday(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, weekday: 'short' });
  return cached('weekday', make).format(new Date(iso));
}

export function monthYear(iso: string | Date): string {
  const make = () => new Intl.DateTimeFormat(locale(), { timeZone: zone, month: 'long', year: 'numeric' });
  return cached('monthYear', make).format(new Date(iso));
}

const daySeconds = 86_400;
const hourSeconds = 3600;
const minuteSeconds = 60;

/** "22 dk önce" within an hour, "11:08" today, "dün 18:48", "17 Kas 11:00", with the year where it is another one. */
export function relative(iso: string | Date, nowMs: number): string {
  const at = new Date(iso);
  const seconds = Math.round((at.getTime() - nowMs) / 1000);
  const words = cached('relative', () => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' }));
  const short = (value: number, unit: 'second' | 'minute') => words.format(value, unit).replace('.', '');
  if (Math.abs(seconds) < minuteSeconds) return short(seconds, 'second');
  if (Math.abs(seconds) < hourSeconds) return short(Math.trunc(seconds / minuteSeconds), 'minute');
  const days = Math.round((midnight(at) - midnight(new Date(nowMs))) / (daySeconds * 1000));
  if (days === 0) return hourMinute(at);
  if (Math.abs(days) === 1) return `${words.format(days, 'day')} ${hourMinute(at)}`;
  const sameYear = toTurkeyTime(at).slice(0, 4) === toTurkeyTime(new Date(nowMs)).slice(0, 4);
  return sameYear ? `${dayMonth(at)} ${hourMinute(at)}` : dateMinute(at);
}

/** The beginning of its day in Turkey. */
const midnight = (at: Date): number => Date.parse(`${toTurkeyTime(at).slice(0, 10)}T00:00:00Z`);

/** "1 gün 4 sa", "2 dk 5 sn", "1 sa", "1,2 sn": lengths of time as people write them, with the two largest units. */
export function duration(ms: number): string {
  const isTurkish = languageCode() === 'tr';
  const second = isTurkish ? 'sn' : 's';
  if (ms < 100) return `<${number(0.1)} ${second}`;
  if (ms < 10_000) return `${number(Math.max(0, Math.round(ms / 100) / 10))} ${second}`;
  const seconds = Math.round(ms / 1000);
  const days = Math.floor(seconds / daySeconds);
  const parts: [number, string][] = [
    [days, isTurkish ? 'gün' : days === 1 ? 'day' : 'days'],
    [Math.floor((seconds % daySeconds) / hourSeconds), isTurkish ? 'sa' : 'h'],
    [Math.floor((seconds % hourSeconds) / minuteSeconds), isTurkish ? 'dk' : 'min'],
    [seconds % minuteSeconds, second],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${number(value)} ${unit}`)
    .join(' ');
}

/** +90 5XX XXX XX XX; numbers of other countries unchanged. Accepts any form that the server sends. */
export function phone(value: string): string {
  const digits = asTurkishMobile(value) ?? value.replace(/\D/g, '');
  const turkish = /^90(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(digits);
  if (turkish) return `+90 ${turkish[1]} ${turkish[2]} ${turkish[3]} ${turkish[4]}`;
  return digits.length > 10 && /^\+?\d+$/.test(value) ? `+${digits}` : value;
}

/** The form that is copied and used in addresses: digits only. */
export function phoneDigits(value: string): string {
  return value.replace(/\D/g, '');
}

/** 905… from the forms people type, or null. Only to recognise a number in the search box; the server decides. */
export function asTurkishMobile(typed: string): string | null {
  const digits = typed.replace(/[\s()+\-.]/g, '');
  const found = /^(?:00)?(?:90|0)?(5\d{9})$/.exec(digits);
  return found ? `90${found[1]}` : null;
}

/** True if the browser's clock differs from Turkey's, so that "(TSİ)" is shown. */
export function isElsewhere(): boolean {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const now = new Date();
  return (
    new Intl.DateTimeFormat('tr-TR', { ...options, timeZone: zone }).format(now) !==
    new Intl.DateTimeFormat('tr-TR', options).format(now)
  );
}

/** Search that treats ı, i, İ and I alike. */
export function fold(text: string): string {
  return text
    .replace(/[İIı]/g, 'i')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
}

/** A typed Turkish time such as "2026-11-15 14:30" (UTC+3, no summer time) as a Date. */
export function fromTurkeyTime(local: string): Date {
  return new Date(`${local.replace(' ', 'T').slice(0, 16)}:00${turkeyOffset}`);
}

/** A Date as Turkey's wall clock, "2026-11-15 14:30:00", for date pickers. */
export function toTurkeyTime(at: Date): string {
  const offsetMs = -Date.parse(`1970-01-01T00:00:00${turkeyOffset}`);
  return new Date(at.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** A moment of a day in Turkey, by default its middle, so that it belongs to that day in every format. */
export const turkeyMoment = (day: string, time = '12:00:00'): string => `${day}T${time}${turkeyOffset}`;
