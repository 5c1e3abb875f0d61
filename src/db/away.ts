// Tells errors of an unavailable database (no answer; a server that starts, stops, is full or read-only) from other errors. The same work
// succeeds once the database is back, so callers that can wait retry instead of ending the process.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { backoffMs } from '../time/backoff.ts';
import { isDatabaseError } from './db.ts';
import { DatabaseReadsOnly } from './session.ts';
import { DatabaseSilent } from './watch.ts';

// 08: connection exceptions; 57P: the server ends, crashes or starts; 53300: no connection is free; 25006: it only reads.
const awayStates = /^(08|57P|53300$|25006$)/;
const awayCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
// Not `listen` (one of our ports is in use) and not `open` (a missing file).
const awayCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']);
// Messages of the driver, which have no code.
const awayWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export function isDatabaseAway(error: unknown): boolean {
  if (isDatabaseError(error)) return awayStates.test(error.code ?? '');
  if (error instanceof DatabaseSilent || error instanceof DatabaseReadsOnly) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseAway);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code && syscall) return awayCodes.has(code) && awayCalls.has(syscall);
  return awayWords.test(error.message) || (error.cause !== undefined && isDatabaseAway(error.cause));
}

/** Repeats idempotent work while the database is away, until it is done or `stopping` is aborted. */
export async function onceThere<T>(log: Log, work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || stopping?.aborted) throw error;
      if (tries === 0) log.warn({ error: (error as Error).message }, 'the database is away, waiting for it');
      await pause(backoffMs(tries, 100, 5_000), undefined, stopping ? { signal: stopping } : {});
    }
}
