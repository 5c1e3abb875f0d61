// A data folder with an empty database, copied from the one of this run (global-setup.ts): 0.1 s of a core, where making it
// anew takes two. The program finds a database of its own version without an account, and makes its first start of it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ask } from '../run/ask-run.ts';

/** Leaves a folder alone that is already there: data of a start before. */
export async function prepareData(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const { folder: prepared } = await ask<{ folder: string }>(inject('dataSocket'));
  mkdirSync(dirname(folder), { recursive: true });
  // Not by Node, which would leave the server's files to whoever runs the tests.
  await promisify(execFile)('cp', ['-a', prepared, folder]);
}
