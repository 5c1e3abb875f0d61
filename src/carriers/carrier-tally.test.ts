import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { publishTallies, Tally } from './carrier-tally.ts';

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());

const linkOf = (carrierId: number) => ({ carrier: { id: carrierId }, errors: new Tally() });

async function stored(carrierId: number): Promise<{ error: string; times: number }[]> {
  const text = 'select error, times from carrier_errors where carrier_id = $1 order by error';
  return (await pool.query(text, [carrierId])).rows;
}

test('the same words of two links are one line, counted together and on; carriers stay apart', async () => {
  const links = [linkOf(1), linkOf(1), linkOf(2)];
  for (const link of links) link.errors.note('bind refused');
  links[0]!.errors.note('bind refused');
  await publishTallies(pool, 'errors', links);
  expect(await stored(1)).toEqual([{ error: 'bind refused', times: 3 }]);
  expect(await stored(2)).toEqual([{ error: 'bind refused', times: 1 }]);
  await publishTallies(pool, 'errors', links);
  links[1]!.errors.note('bind refused');
  await publishTallies(pool, 'errors', links);
  expect(await stored(1)).toEqual([{ error: 'bind refused', times: 4 }]);
});

test('of each carrier the newest twenty are kept, each of bounded length', async () => {
  const [first, second] = [linkOf(11), linkOf(12)];
  second.errors.note('the only one');
  for (let at = 0; at < 25; at++) {
    first.errors.note(`${at}`.padStart(2, '0') + 'x'.repeat(1_000));
    await publishTallies(pool, 'errors', [first, second]);
  }
  const kept = await stored(11);
  expect(kept.map(one => Number(one.error.slice(0, 2)))).toEqual(Array.from({ length: 20 }, (_, i) => i + 5));
  expect(kept[0]!.error).toHaveLength(200);
  expect(await stored(12)).toEqual([{ error: 'the only one', times: 1 }]);
});

test('what could not be stored is published with the next round, once', async () => {
  const link = linkOf(21);
  link.errors.note('lost');
  const closed = (await testDatabase()) as typeof database;
  await closed.close();
  await expect(publishTallies(closed.pool, 'errors', [link])).rejects.toThrow();
  await publishTallies(pool, 'errors', [link]);
  await publishTallies(pool, 'errors', [link]);
  expect(await stored(21)).toEqual([{ error: 'lost', times: 1 }]);
});
