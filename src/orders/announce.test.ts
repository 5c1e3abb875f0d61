// Words to dispatchers: soon, together, and none lost with a batch that was not stored.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { type Db, openClient, openPool } from '../db/db.ts';
import { announceWork, sayAgain, type Words, wordsToSend, workChannel } from './announce.ts';

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

/** A batch takes words along as soon as some milliseconds have passed; meanwhile nothing else happens in this process. */
function nextBatch(): Words {
  for (;;) {
    const words = wordsToSend(db, [{ lane: 0, accountId: 5 }]);
    if (words.sent) return words;
  }
}

test('a batch says what waits and its own accounts, and nobody says it again', async () => {
  announceWork(db, 0, 1);
  announceWork(db, 0, 2);
  expect(nextBatch()).toEqual({ payload: '0:2 0:5', sent: true });
  announceWork(db, 1, 7);
  await expect.poll(() => heard).toEqual(['0:1', '1:7']);
});

test('the words of a batch that was not stored are said by themselves', async () => {
  announceWork(db, 0, 1);
  announceWork(db, 0, 2);
  sayAgain(db, nextBatch());
  await expect.poll(() => heard).toEqual(['0:1', '0:2 0:5']);
});
