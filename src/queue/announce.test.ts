// Words to dispatchers: soon and together.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { type Db, openClient, openPool } from '../db/db.ts';
import { announceWork, workChannel } from './announce.ts';

const database = await testDatabase();
const options = { name: 'announce test', onError: () => {} };
const listener = await openClient(database.connection, options);
let heard: string[] = [];
listener.on('notification', message => heard.push(message.payload ?? ''));
await listener.query(`listen ${workChannel}`);

const pools: Db[] = [];
let db: Db;
beforeEach(() => {
  db = openPool(database.connection, { ...options, max: 1 });
  pools.push(db);
  heard = [];
});
afterAll(async () => {
  await listener.end();
  for (const one of pools) await one.end();
  await database.close();
});

test('the first word leaves at once, those of the next moments together', async () => {
  announceWork(db, 0, 1);
  announceWork(db, 0, 2);
  announceWork(db, 1, 3);
  announceWork(db, 0, 2);
  await expect.poll(() => heard).toEqual(['0:1', '0:2 1:3']);
});
