// Waiting on a condition, never for a time: asks again until the answer is neither false nor missing, and says what it
// waited for when that does not come. A condition that throws counts as not yet true; its last error is reported.
import { setTimeout as pause } from 'node:timers/promises';

/** Ever less often: a question costs the machine that is to come to the answer. A tenth of the time waited, at most. */
const pauseMs = (waitedMs: number): number => Math.min(250, 20 + waitedMs / 10);
/** Reached only by what never comes: beside much else a start alone took more than a minute. */
const timeoutMsUsual = 150_000;

export async function wait<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = timeoutMsUsual,
): Promise<NonNullable<T>> {
  const since = performance.now();
  let last: unknown;
  for (;;) {
    try {
      last = await condition();
      if (last !== false && last !== undefined && last !== null) return last as NonNullable<T>;
    } catch (error) {
      last = error;
    }
    const waitedMs = performance.now() - since;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last });
    await pause(pauseMs(waitedMs));
  }
}
