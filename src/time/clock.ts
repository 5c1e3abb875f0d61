// The one source of time. "Now" is the time of the database's clock, because several programs on several hosts and the database
// itself compare stored times. A program measures its offset to that clock (src/db/database-clock.ts) and counts on by its own
// monotonic clock, so that neither a wrong host clock nor a clock adjustment moves it. Tests replace the time (`setClock`).
// Turkish local time is UTC+3 all year, so the edges convert with a constant and no time zone table.
export const turkeyOffset = '+03:00';
export const turkeyOffsetMs = 3 * 60 * 60 * 1000;

/** The database's clock showed `ms` when our monotonic clock showed `atMs`. */
type Anchor = { ms: number; atMs: number };

let hostSource: () => number = Date.now;
let anchor: Anchor | null = null;
const own = () => (anchor ? Math.floor(anchor.ms + performance.now() - anchor.atMs) : hostSource());
let source: () => number = own;

export function now(): Date {
  return new Date(source());
}

export function nowMs(): number {
  return source();
}

/**
 * The clock of this host, right or wrong; unlike the monotonic one it continues while the machine sleeps. It only serves to
 * detect a difference between the clocks, and sleep: nothing stored is compared with it.
 */
export function hostMs(): number {
  return hostSource();
}

/**
 * The database's time in answer to a query that was sent and answered at these monotonic times. It was read in between, so our
 * clock moves by the smallest amount that fits: a slow answer does not spoil the precision of a quick one.
 */
export function followDatabase(databaseMs: number, askedAtMs: number, answeredAtMs: number): void {
  const middle = { ms: databaseMs, atMs: (askedAtMs + answeredAtMs) / 2 };
  if (!anchor) {
    anchor = middle;
    return;
  }
  const { ms, atMs } = anchor;
  const asked = ms + askedAtMs - atMs;
  const answered = ms + answeredAtMs - atMs;
  const correction = Math.min(0, databaseMs - asked) + Math.max(0, databaseMs - answered);
  anchor = { ms: ms + correction, atMs };
}

/** Milliseconds that never jump, for leases, pacing and timeouts. */
export function monotonicMs(): number {
  return performance.now();
}

/** For tests only; returns a function that restores the previous clock. */
export function setClock(fn: () => number): () => void {
  const before = source;
  source = fn;
  return () => {
    source = before;
  };
}

/** For tests only: restores the program's own clock. Returns whether another one was still set. */
export function takeBackClock(): boolean {
  const wasReplaced = source !== own;
  source = own;
  return wasReplaced;
}

/** For tests only: a host with a wrong clock, before any database was asked; the returned function undoes it. */
export function setHostClock(fn: () => number): () => void {
  const before = { hostSource, anchor };
  hostSource = fn;
  anchor = null;
  return () => {
    ({ hostSource, anchor } = before);
  };
}

/** `YYYY-MM-DD HH:MM:SS` in Turkey's local time, the only form that travels. */
export function toTurkeyTime(time: Date): string {
  return new Date(time.getTime() + turkeyOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** When the day of this time began, at midnight in Turkey. */
export function turkeyMidnightMs(time: Date): number {
  return turkeyDayNo(time) * 86_400_000 - turkeyOffsetMs;
}

/** Number of a day in Turkey's calendar, for comparing days without the cost of their names (4 µs). */
export function turkeyDayNo(time: Date): number {
  return Math.floor((time.getTime() + turkeyOffsetMs) / 86_400_000);
}

/** A Turkish wall-clock time as an instant, or null if such a date does not exist (31 February, 24:10). */
export function fromTurkeyTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): Date | null {
  if (hour > 23 || minute > 59 || second > 59) return null;
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  const check = new Date(utc);
  if (check.getUTCFullYear() !== year || check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return null;
  return new Date(utc - turkeyOffsetMs);
}
