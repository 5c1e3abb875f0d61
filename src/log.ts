// The log on standard error: one event name, ids as fields, never a message text, a hash or a whole number. JSON for machines;
// one line of text on a terminal.
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { toTurkeyTime } from './time/clock.ts';

type LogFormat = 'auto' | 'json' | 'text';

export type Log = {
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
  debug(fields: object, event: string): void;
};

export function createLog(level: string, role: string, format: LogFormat = 'auto'): Log {
  const options = { level, base: { role, pid: process.pid }, formatters: { log: withoutNumbers } };
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true);
  if (!isText) return pino(options, pino.destination({ dest: 2, sync: true }));
  const colour = hasColour(process.stderr);
  return pino(options, { write: line => void writeSync(2, `${lineForPeople(JSON.parse(line), colour)}\n`) });
}

/** Node handles NO_COLOR and terminals without colours. */
export function hasColour(stream: { isTTY?: boolean; hasColors?(): boolean }): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}

type Paint = (code: number, text: string) => string;
export const painter = (colour: boolean): Paint =>
  colour ? (code, text) => `\x1b[${code}m${text}\x1b[0m` : (_, text) => text;

const levels: Record<number, [name: string, colour: number]> = {
  20: ['debug', 90],
  30: ['info', 32],
  40: ['warn', 33],
  50: ['error', 31],
};

type Entry = { level: number; time: number; role: string; pid: number; msg: string } & Record<string, unknown>;

/** `22:44:13 info  dispatch    carrier opened  carrier=simulator`, in Turkey's time. */
export function lineForPeople({ level, time, role, pid: _, msg, ...fields }: Entry, colour: boolean): string {
  const paint = painter(colour);
  const [name, code] = levels[level] ?? levels[50]!;
  const at = toTurkeyTime(new Date(time)).slice(-8);
  const rest = Object.entries(fields).map(([field, value]) => `${field}=${fieldText(value)}`);
  return [
    paint(90, at),
    paint(code, name.padEnd(5)),
    paint(36, role.padEnd(10)),
    ` ${msg}${rest.length > 0 ? paint(90, `  ${rest.join(' ')}`) : ''}`,
  ].join(' ');
}

function fieldText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

export const silentLog: Log = { info() {}, warn() {}, error() {}, debug() {} };

// Turkish mobile numbers in every spelling without blanks, others with a plus; other long digits may be ids.
const wholeNumber = /(?<![\d+])(?:\+?90|0)?(5\d{9})(?!\d)|\+(\d{11,15})(?!\d)/g;

/** Messages of other systems (a carrier's refusal, a database error) may contain a number, which is masked wherever it is. */
export function withoutNumbers(fields: Record<string, unknown>): Record<string, unknown> {
  const mask = (_: string, turkish?: string, other?: string) => maskNumber(turkish ? `90${turkish}` : other!);
  const safe = (value: unknown) => (typeof value === 'string' ? value.replace(wholeNumber, mask) : value);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safe(value)]));
}

/** `+90 532 *** ** 67`: enough to recognise, not enough to call. */
function maskNumber(number: number | string): string {
  const digits = String(number);
  return `+${digits.slice(0, 5)}*****${digits.slice(-2)}`;
}

const seldomEveryMs = 1_000;
const lastSaid = new WeakMap<Log, Map<string, { atMs: number; times: number }>>();

/** Events that may happen thousands of times a second: at most one line per second, which says how often it happened. */
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
