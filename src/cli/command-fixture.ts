// Commands as `peyk … --json` runs them, against a database of the test's own.
import { afterAll } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { execute } from './main.ts';

export async function commandLine() {
  const database = await testDatabase();
  afterAll(() => database.close());
  const data = temporaryFolder();
  const run = (...words: string[]) => execute([...words, '--database-url', database.url, '--peyk-data', data]);
  return { database, data, run, json: async (...words: string[]) => JSON.parse(await run(...words, '--json')) };
}

export const command = (words: string): string[] => words.split(' ');
