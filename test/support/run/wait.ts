// Waits on a condition, never for a time: asks again until the answer is neither false nor missing, and names the condition if
// it times out. A condition that throws counts as not yet true; its last error is reported.
import { setTimeout as pause } from 'node:timers/promises';

/** Asks less and less often, at most a tenth of the time waited, because asking costs CPU. */
const pauseMs = (waitedMs: number): number => Math.min(250, 20 + waitedMs / 10);
/** Only reached by conditions that never become true: on a busy machine a start alone took more than a minute. */
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
