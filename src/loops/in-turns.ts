// Work that may take long pauses regularly, so that other work proceeds.
import { setImmediate as others } from 'node:timers/promises';

export function breather(): Promise<void> {
  return others();
}
