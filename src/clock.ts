// The one source of time. Tests replace it (`setClock`); everything else only asks. Turkey's local time is UTC+3 all
// year, so the edges convert with a constant and no time zone table.
const turkeyOffsetMs = 3 * 60 * 60 * 1000;

let source: () => number = Date.now;

export function now(): Date {
  return new Date(source());
}

export function nowMs(): number {
  return source();
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

/** `YYYY-MM-DD HH:MM:SS` in Turkey's local time, the only form that travels. */
export function toTurkeyTime(time: Date): string {
  return new Date(time.getTime() + turkeyOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
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
