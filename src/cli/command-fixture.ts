// Commands as `peyk … --json` runs them, against a database of the test's own.
import { afterAll } from 'vitest';
import { testPlace } from '../../test/support/database/citus.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { execute } from './execute.ts';

export async function commandLine() {
  const database = await testPlace();
  afterAll(() => database.close());
  const data = temporaryFolder();
  const run = (...words: string[]) => execute([...words, '--database-url', database.url, '--peyk-data', data]);
  return { database, data, run, json: async (...words: string[]) => JSON.parse(await run(...words, '--json')) };
}

export const command = (words: string): string[] => words.split(' ');

/** Returns what is written to standard error meanwhile. */
export async function stderrOf(work: () => Promise<unknown>): Promise<string[]> {
  const written: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = text => written.push(String(text)) > 0;
  try {
    await work();
  } finally {
    process.stderr.write = write;
  }
  return written;
}
