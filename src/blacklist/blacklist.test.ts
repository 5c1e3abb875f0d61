import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { interleaved } from '../../test/support/database/interleaved.ts';
import { openAccount } from '../accounts/open.ts';
import { addToBlacklist, blacklistPage, removeFromBlacklist } from './blacklist.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const all = { start: null, end: null };

test('many additions of one number at once leave one entry, with the time and source of the first', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await addToBlacklist(db, id, 905550000000, 'optout');
  await Promise.all(Array.from({ length: 20 }, () => addToBlacklist(db, id, 905550000000, 'api')));
  const { rows } = await db.query('select source from blacklist_entries where account_id = $1', [id]);
  expect(rows).toEqual([{ source: 'optout' }]);
});

test('of many removals at once one finds the number', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await addToBlacklist(db, id, 905550000000, 'api');
  const found = await Promise.all(Array.from({ length: 10 }, () => removeFromBlacklist(db, id, 905550000000)));
  expect(found.filter(Boolean)).toHaveLength(1);
});

test('pages together are the whole list, each number once, oldest first', async () => {
  const { id } = await openAccount(db, 'Deneme');
  // Many entries of the same instant, as an import writes them.
  await db.query(
    'insert into blacklist_entries (account_id, number, added_at) select $1, 905550000000 + i, now() from generate_series(0, 99) i',
    [id],
  );
  const numbers: number[] = [];
  for (let page = 1; page <= 15; page++) numbers.push(...(await blacklistPage(db, id, all, page, 7)).numbers);
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => 905550000000 + i));
  expect((await blacklistPage(db, id, all, 99, 7)).count).toBe(100);
});

test('count and page are of one moment', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await addToBlacklist(db, id, 905550000000, 'api');
  const busy = interleaved(db, () => addToBlacklist(db, id, 905550000001, 'api'));
  expect(await blacklistPage(busy, id, all, 1, 7)).toEqual({ count: 1, numbers: [905550000000] });
  expect(await blacklistPage(db, id, all, 1, 7)).toEqual({ count: 2, numbers: [905550000000, 905550000001] });
  expect(await blacklistPage(db, id, all, 2, 7)).toEqual({ count: 2, numbers: [] });
});
