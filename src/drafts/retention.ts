// Drafts that nobody has touched for a month, and those that were sent, go away.
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';
import { sweepDrafts } from './drafts.ts';

const pauseMs = 10 * 60_000;

export function startDraftRetention(db: Db, log: Log): Loop {
  return startLoop(
    'draft retention',
    log,
    async () => {
      const removed = await sweepDrafts(db);
      return removed > 0 ? 0 : pauseMs;
    },
    { silenceMaxMs: 3 * pauseMs },
  );
}
