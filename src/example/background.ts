// The example account in the background of a start: a few orders, a breath, the next few, so that a first start on a small
// machine goes on answering. About 270 orders of 3,300 messages, in some ten seconds and two of one core.
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { makeExample } from './example-account.ts';

const breathMs = 25;

/** Goes on until all is made; what a stop or a fault leaves is made by the next start. */
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
