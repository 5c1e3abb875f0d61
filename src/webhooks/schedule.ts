// When a failed event is retried, and when it is given up: a table of pauses, 24 hours in all. docs/webhooks.md shows the same
// table; a test compares the two.
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const retryWindowMs = 24 * hour;

/** The pause after the first failed attempt, after the second, … They add up to the whole window. */
export const retryPausesMs: readonly number[] = [
  10 * second,
  30 * second,
  1 * minute,
  2 * minute,
  5 * minute,
  10 * minute,
  20 * minute,
  40 * minute,
  1 * hour,
  2 * hour,
  3 * hour,
  4 * hour,
  4 * hour,
  4 * hour,
  4 * hour,
  41 * minute + 20 * second,
];

/** Pauses between two probes of an endpoint that does not answer; the last one repeats. */
export const probePausesMs: readonly number[] = [
  5 * second,
  10 * second,
  20 * second,
  30 * second,
  1 * minute,
  2 * minute,
  5 * minute,
];

// An attempt at the very end of the window runs a little late: an attempt within this time of the end was the last.
const lastAttemptSlackMs = minute;

/** The time of the next attempt after `attempts` failed ones, or null if that was the last. */
export function nextAttemptMs(attempts: number, expiresMs: number, timeMs: number): number | null {
  if (timeMs >= expiresMs - lastAttemptSlackMs) return null;
  const pauseMs = retryPausesMs[Math.min(attempts, retryPausesMs.length) - 1] ?? retryPausesMs[0]!;
  return Math.min(timeMs + pauseMs, expiresMs);
}

export function probePauseMs(probes: number): number {
  return probePausesMs[Math.min(probes, probePausesMs.length - 1)]!;
}
