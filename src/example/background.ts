// Creates the example account in the background of a start: a few orders, a pause, the next few, so that a first start on a
// small machine stays responsive. About 270 orders of 3,300 messages, in some ten seconds with two seconds of CPU.
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { makeExample } from './example-account.ts';

const breathMs = 25;

/** Continues until everything exists; the next start completes what a stop or an error left out. */
export function startExample(db: Db, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = makeExample(db, stopping.signal, () => pause(breathMs)).catch((error: Error) => {
    if (!stopping.signal.aborted) log.warn({ error: error.message }, 'the example account waits for the next start');
  });
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
