// What is cleared away when a test file ends, also after a failure. Files share a process and its modules (vitest.config.ts),
// so a module cannot say it by a hook of its own: that would be run for the first file alone. It stands in `setupFiles`,
// which are run anew for every file, before the file: hooks run in reverse, hence this one after the file's own.
import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { useContentKeys } from '../../../src/sealing/content.ts';
import { takeBackClock } from '../../../src/time/clock.ts';
import { clearAway } from './clear-away.ts';

afterAll(clearAway);
// A clock that one file left wrong had another hang, sometimes, in the same process.
afterAll(() => {
  if (takeBackClock())
    throw new Error('this file leaves a replaced clock to the next: undo setClock, the last one first');
});
// Commands that seal texts say so to the process, which ends with them; here it goes on, and another file found its texts sealed.
afterAll(() => useContentKeys(randomBytes(32), 'plain'));
