// The shape of one delivery in the strip of attempts.
import type { DeliveryState } from '../../../../src/webhooks/events.ts';

export type Attempt = { state: DeliveryState; answerMs: number | null };

const slowMs = 3_000;
const leastMs = 10;
const mostMs = 10_000;
const leastShare = 0.15;

/** A delivery that was tried and is not delivered has failed at least once. */
export function attemptLook({ state, answerMs }: Attempt): 'delivered' | 'slow' | 'failed' {
  if (state !== 'delivered') return 'failed';
  return (answerMs ?? 0) > slowMs ? 'slow' : 'delivered';
}

/** Height of its bar: logarithmic, so that 50 ms and 10 s are both visible; a failure has full height. */
export function attemptShare(attempt: Attempt): number {
  if (attemptLook(attempt) === 'failed') return 1;
  const ms = Math.min(mostMs, Math.max(leastMs, attempt.answerMs ?? leastMs));
  return leastShare + (1 - leastShare) * (Math.log(ms / leastMs) / Math.log(mostMs / leastMs));
}

/** Median time of the delivered ones. */
export function medianMs(attempts: Attempt[]): number | null {
  const times = attempts
    .flatMap(one => (one.state === 'delivered' && one.answerMs !== null ? [one.answerMs] : []))
    .sort((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)] ?? null;
}
