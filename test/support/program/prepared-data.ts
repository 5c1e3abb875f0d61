// A data folder with an empty database, copied from the one of this run (global-setup.ts): 0.1 s of CPU instead of two. The
// program finds a database of its own version without an account, and treats the start as its first.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ask } from '../run/ask-run.ts';

/** An existing folder is left unchanged: it has data of an earlier start. */
export async function prepareData(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const { folder: prepared } = await ask<{ folder: string }>(inject('dataSocket'));
  mkdirSync(dirname(folder), { recursive: true });
  // By `cp`, because Node would change the owner of the server's files.
  await promisify(execFile)('cp', ['-a', prepared, folder]);
}
