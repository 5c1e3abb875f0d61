// The health of an endpoint, from the results of its posts. After 20 failures in a row only single probes are sent, at growing
// intervals; after a minute of failed probes the endpoint counts as paused. One success ends this.
import type { Failure } from './failures.ts';
import { probePauseMs } from './schedule.ts';

export type Health = {
  state: 'healthy' | 'failing' | 'paused';
  reason: Failure | null;
  /** The HTTP status of the failure; null if there was no answer. */
  answerStatus: number | null;
  failures: number;
  failingSinceMs: number | null;
  probes: number;
  /** If not null, only a probe may be sent, at this time. */
  nextProbeMs: number | null;
  lastSuccessMs: number | null;
};

const failuresBeforeProbing = 20;
const failingBeforePauseMs = 60_000;

export const freshHealth: Health = {
  state: 'healthy',
  reason: null,
  answerStatus: null,
  failures: 0,
  failingSinceMs: null,
  probes: 0,
  nextProbeMs: null,
  lastSuccessMs: null,
};

export function afterSuccess(timeMs: number): Health {
  return { ...freshHealth, lastSuccessMs: timeMs };
}

export function afterFailure(
  health: Health,
  reason: Failure,
  timeMs: number,
  answerStatus: number | null = null,
): Health {
  const failures = health.failures + 1;
  const failingSinceMs = health.failingSinceMs ?? timeMs;
  const failing: Health = { ...health, state: 'failing', reason, answerStatus, failures, failingSinceMs };
  if (failures < failuresBeforeProbing) return failing;
  const state = timeMs - failingSinceMs >= failingBeforePauseMs ? 'paused' : 'failing';
  // Posts that were in flight when probing began do not lengthen the intervals.
  if (health.nextProbeMs !== null && health.nextProbeMs > timeMs) return { ...failing, state };
  return { ...failing, state, probes: health.probes + 1, nextProbeMs: timeMs + probePauseMs(health.probes) };
}

/** Pauses at once, because nothing can be sent at all. */
export function paused(health: Health, reason: Failure, timeMs: number): Health {
  const failures = Math.max(health.failures, failuresBeforeProbing);
  const nextProbeMs = timeMs + probePauseMs(health.probes);
  const failingSinceMs = health.failingSinceMs ?? timeMs;
  return {
    ...health,
    state: 'paused',
    reason,
    answerStatus: null,
    failures,
    failingSinceMs,
    probes: health.probes + 1,
    nextProbeMs,
  };
}

export function isProbing(health: Health): boolean {
  return health.nextProbeMs !== null;
}
