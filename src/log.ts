// Structured log on standard error: one event name, ids as fields, never a message text, a hash or a whole number.
import { pino } from 'pino';

export type Log = {
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
  debug(fields: object, event: string): void;
};

export function createLog(level: string, role: string): Log {
  return pino({ level, base: { role, pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
}

export const silentLog: Log = { info() {}, warn() {}, error() {}, debug() {} };

/** `+90 532 *** ** 67`: enough to recognise, not enough to call. */
export function maskNumber(number: number | string): string {
  const digits = String(number);
  return `+${digits.slice(0, 5)}*****${digits.slice(-2)}`;
}
