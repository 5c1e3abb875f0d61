// The age rule of consent dates counts business days. Weekends and the fixed national days are known here; the
// religious holidays move every year and are left out, so the simulator is at most that much stricter than the registry.
import { fromTurkeyTime } from '../../src/time/clock.ts';

const dayMs = 86_400_000;
const turkeyOffsetMs = 3 * 3_600_000;
const walkDaysMax = 60;
const fixedHolidays = new Set(['01-01', '04-23', '05-01', '05-19', '07-15', '08-30', '10-29']);

const shape = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;

/** `'shape'` if the text is not a date at all, `'calendar'` if no such day or hour exists. */
export function readDate(text: string): Date | 'shape' | 'calendar' {
  const found = shape.exec(text);
  if (found === null) return 'shape';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return fromTurkeyTime(year, month, day, hour, minute, second) ?? 'calendar';
}

function isBusinessDay(ms: number): boolean {
  const local = new Date(ms + turkeyOffsetMs);
  const weekday = local.getUTCDay();
  return weekday !== 0 && weekday !== 6 && !fixedHolidays.has(local.toISOString().slice(5, 10));
}

/** The same hour of the n-th business day after the given moment. Friday noon + 3 = Wednesday noon. */
export function businessDaysLater(fromMs: number, days: number): number {
  let ms = fromMs;
  let left = days;
  for (let step = 0; step < walkDaysMax && left > 0; step++) {
    ms += dayMs;
    if (isBusinessDay(ms)) left--;
  }
  return ms;
}
