// The pause that a server asks for.
import { nowMs } from '../time/clock.ts';

/** Reads a Retry-After header: seconds, or the time at which the pause ends. */
export function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
