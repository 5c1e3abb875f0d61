// Times at which the batches of a send begin: all at once, or a number per hour, and never inside quiet hours. Turkey has been
// at UTC+3 all year since 2016, so a time of day there is arithmetic.
import { turkeyOffsetMs } from '../time/clock.ts';
import type { DraftHead } from './drafts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Quiet = DraftHead['quiet'];

/** Start times of the batches; the first is `start` unless that is in quiet hours. */
export function* batchTimes(start: Date, quiet: Quiet): Generator<Date, never> {
  for (let at = afterQuiet(start, quiet); ; at = afterQuiet(new Date(at.getTime() + hourMs), quiet)) yield at;
}

/** Returns the time itself, or the end of the quiet hours that contain it. */
export function afterQuiet(at: Date, quiet: Quiet): Date {
  if (!quiet) return at;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  if (from === null || to === null || from === to) return at;
  const local = at.getTime() + turkeyOffsetMs;
  const midnight = Math.floor(local / dayMs) * dayMs;
  const minutes = (local - midnight) / minuteMs;
  // 21:00–09:00 passes midnight.
  const over = from > to;
  if (over ? minutes < from && minutes >= to : minutes < from || minutes >= to) return at;
  const end = midnight + to * minuteMs + (over && minutes >= from ? dayMs : 0);
  return new Date(end - turkeyOffsetMs);
}

/** `21:30` as minutes after midnight; null for anything else. */
export function minutesOf(time: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}
