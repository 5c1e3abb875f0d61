import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { silentLog } from '../../log.ts';
import { CarrierLink } from './carrier-link.ts';
import type { LinkEvents } from './link.ts';
import { publishErrors } from './link-board.ts';
import type { SlotLocks } from './slot-locks.ts';

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());

/** A link that is never started: it only holds what went wrong. */
function linkOf(carrierId: number, slot: number): CarrierLink<never> {
  const carrier = { id: carrierId, name: `C${carrierId}`, rate: null, binds: 2 } as CarrierWithPassword;
  return new CarrierLink<never>(carrier, slot, {} as LinkEvents<never>, {} as SlotLocks, silentLog);
}

async function stored(carrierId: number): Promise<{ error: string; times: number }[]> {
  const text = 'select error, times from carrier_errors where carrier_id = $1 order by error';
  return (await pool.query(text, [carrierId])).rows;
}

test('the same words of two links are one line, counted together and on; carriers stay apart', async () => {
  const links = [linkOf(1, 0), linkOf(1, 1), linkOf(2, 0)];
  for (const link of links) link.noteError('bind refused');
  links[0]!.noteError('bind refused');
  await publishErrors(pool, links);
  expect(await stored(1)).toEqual([{ error: 'bind refused', times: 3 }]);
  expect(await stored(2)).toEqual([{ error: 'bind refused', times: 1 }]);
  await publishErrors(pool, links);
  links[1]!.noteError('bind refused');
  await publishErrors(pool, links);
  expect(await stored(1)).toEqual([{ error: 'bind refused', times: 4 }]);
});

test('of each carrier the newest twenty are kept, each of bounded length', async () => {
  const [first, second] = [linkOf(11, 0), linkOf(12, 0)];
  second.noteError('the only one');
  for (let at = 0; at < 25; at++) {
    first.noteError(`${at}`.padStart(2, '0') + 'x'.repeat(1_000));
    await publishErrors(pool, [first, second]);
  }
  const kept = await stored(11);
  expect(kept.map(one => Number(one.error.slice(0, 2)))).toEqual(Array.from({ length: 20 }, (_, i) => i + 5));
  expect(kept[0]!.error).toHaveLength(200);
  expect(await stored(12)).toEqual([{ error: 'the only one', times: 1 }]);
});

test('what could not be stored is told with the next round, once', async () => {
  const link = linkOf(21, 0);
  link.noteError('lost');
  const closed = (await testDatabase()) as typeof database;
  await closed.close();
  await expect(publishErrors(closed.pool, [link])).rejects.toThrow();
  await publishErrors(pool, [link]);
  await publishErrors(pool, [link]);
  expect(await stored(21)).toEqual([{ error: 'lost', times: 1 }]);
});
