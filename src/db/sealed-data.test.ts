// A wrong key is refused before it is used, and no new key is made for sealed data.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { seal } from '../sealing/secrets.ts';
import { secretKeyOfData } from './sealed-data.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const folder = temporaryFolder();
const other = Buffer.alloc(32, 9).toString('base64');

test('data without secrets accept any key; data sealed afterwards need the same one', async () => {
  const settings = { PEYK_DATA: folder, PEYK_SECRET_KEY: '' };
  const key = await secretKeyOfData(db, settings);
  await db.query(
    `insert into carriers (name, host, port, system_id, password) values ('a', 'smsc.example.com', 2775, 'x', $1)`,
    [seal(key, 'gizli')],
  );
  expect((await secretKeyOfData(db, settings)).equals(key)).toBe(true);
  await expect(secretKeyOfData(db, { ...settings, PEYK_SECRET_KEY: other })).rejects.toThrow(
    'PEYK_SECRET_KEY is not the one',
  );
});

test('a data folder without its key is refused, and gets no new one', async () => {
  const empty = temporaryFolder();
  await expect(secretKeyOfData(db, { PEYK_DATA: empty, PEYK_SECRET_KEY: '' })).rejects.toThrow('their key is missing');
  expect(existsSync(join(empty, 'secret.key'))).toBe(false);
});
