// Runs the cleanups when a test file ends, even after a failure. Files share a process and its modules (vitest.config.ts), so a
// module's own hook would run for the first file only. This file is in `setupFiles`, which run before every test file; hooks
// run in reverse, so this one runs after the file's own.
import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { useContentKeys } from '../../../src/sealing/content.ts';
import { takeBackClock } from '../../../src/time/clock.ts';
import { clearAway } from './clear-away.ts';

afterAll(clearAway);
// A clock that one file left wrong sometimes made another hang in the same process.
afterAll(() => {
  if (takeBackClock())
    throw new Error('this file leaves a replaced clock to the next: undo setClock, the last one first');
});
// Commands that seal texts set the keys of their process and end; here the process continues, and the next file would seal its
// texts.
afterAll(() => useContentKeys(randomBytes(32), 'plain'));
