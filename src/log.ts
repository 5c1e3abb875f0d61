// Structured log on standard error: one event name, ids as fields, never a message text, a hash or a whole number.
import { pino } from 'pino';

export type Log = {
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
  debug(fields: object, event: string): void;
};

export function createLog(level: string, role: string): Log {
  const options = { level, base: { role, pid: process.pid }, formatters: { log: withoutNumbers } };
  return pino(options, pino.destination({ dest: 2, sync: true }));
}

export const silentLog: Log = { info() {}, warn() {}, error() {}, debug() {} };

// Of Turkish mobiles every spelling without blanks, of others those with a plus; what else has many digits may be an id.
const wholeNumber = /(?<![\d+])(?:\+?90|0)?(5\d{9})(?!\d)|\+(\d{11,15})(?!\d)/g;

/** Words of others (a carrier's refusal, an error of the database) may hold a number: masked, wherever it stands. */
export function withoutNumbers(fields: Record<string, unknown>): Record<string, unknown> {
  const mask = (_: string, turkish?: string, other?: string) => maskNumber(turkish ? `90${turkish}` : other!);
  const safe = (value: unknown) => (typeof value === 'string' ? value.replace(wholeNumber, mask) : value);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safe(value)]));
}

/** `+90 532 *** ** 67`: enough to recognise, not enough to call. */
export function maskNumber(number: number | string): string {
  const digits = String(number);
  return `+${digits.slice(0, 5)}*****${digits.slice(-2)}`;
}

const seldomEveryMs = 1_000;
const lastSaid = new WeakMap<Log, Map<string, { atMs: number; times: number }>>();

/** What may happen thousands of times a second: one line in each at most, which says how often it was. */
export function warnSeldom(log: Log, fields: object, event: string): void {
  const events = lastSaid.get(log) ?? new Map<string, { atMs: number; times: number }>();
  lastSaid.set(log, events);
  const last = events.get(event) ?? { atMs: Number.NEGATIVE_INFINITY, times: 0 };
  events.set(event, last);
  last.times++;
  if (performance.now() - last.atMs < seldomEveryMs) return;
  log.warn({ ...fields, times: last.times }, event);
  events.set(event, { atMs: performance.now(), times: 0 });
}
