// Work that may be long pauses now and then, so that others are served in between.
import { setImmediate as others } from 'node:timers/promises';

export function breather(): Promise<void> {
  return others();
}
