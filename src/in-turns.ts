// Work that may be long, written once as a generator that pauses now and then: done at once where it is known to be short, and
// in turns with everybody else's where it may hold them up.
import { setImmediate as others } from 'node:timers/promises';

/** Each pause is a place where others may be served. */
export type Pausing<T> = Generator<void, T>;

export function atOnce<T>(work: Pausing<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export async function inTurns<T>(work: Pausing<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await others();
  }
}
