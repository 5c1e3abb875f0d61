// The one source of time. "Now" is what the database's clock says: stored times are compared with each other by several
// programs on several hosts and by the database itself, so one clock decides for all of them. A program that runs beside a
// database measures how that clock stands (src/db/database-clock.ts) and counts on from there by its monotonic clock, so
// that neither a wrong clock of its host nor one that is being set moves it. Tests replace the time (`setClock`);
// everything else only asks. Turkey's local time is UTC+3 all year, so the edges convert with a constant and no time zone table.
export const turkeyOffset = '+03:00';
export const turkeyOffsetMs = 3 * 60 * 60 * 1000;

/** The database's clock said `ms` when our monotonic clock said `atMs`. */
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
 * The clock of this host, right or wrong; unlike the monotonic one it goes on while the machine sleeps. For telling that
 * the two clocks differ, and that we slept: nothing stored is compared with it.
 */
export function hostMs(): number {
  return hostSource();
}

/**
 * What the database's clock said to a question asked and answered at these monotonic times. It was read in between; our
 * own is moved by as little as makes that true, so that a slow answer does not spoil what a quick one told.
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

/** Milliseconds that never jump: for leases, pacing and timeouts. */
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

/** For tests only: the program's own clock again. Whether another one was still in its place. */
export function takeBackClock(): boolean {
  const wasReplaced = source !== own;
  source = own;
  return wasReplaced;
}

/** For tests only: a host whose clock is wrong, before anything was heard of a database's; undone by what it returns. */
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

/** Days begin at midnight in Turkey: when the day of this time did. */
export function turkeyMidnightMs(time: Date): number {
  return turkeyDayNo(time) * 86_400_000 - turkeyOffsetMs;
}

/** Counts the days of Turkey's calendar: for telling days apart where their names (4 µs) are not needed. */
export function turkeyDayNo(time: Date): number {
  return Math.floor((time.getTime() + turkeyOffsetMs) / 86_400_000);
}

/** A Turkish wall-clock time to an instant, or null when such a date does not exist (31 February, 24:10). */
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
