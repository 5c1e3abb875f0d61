// The archive of the log against a server whose target refuses for a while.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { wait } from '../../test/support/run/wait.ts';
import { archiveLog } from './archiver.ts';
import type { Reach } from './catalogue.ts';
import { logSince } from './choose.ts';
import { folderStore } from './folder-store.ts';
import { positionOf, segmentStart } from './log-position.ts';
import { dropSlot, listSlots, makeSlot } from './slots.ts';
import { serverFacts } from './take-base.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const { name } of await listSlots(database.pool)) await dropSlot(database.pool, name);
  await database.close();
});

test('a target that refuses is tried again, the slot keeps what is not stored, and the log has no gap', async () => {
  const { pool: db, connection } = database;
  const inner = folderStore(temporaryFolder());
  let refusing = true;
  const store = {
    ...inner,
    put: (key: string, body: Buffer) => (refusing ? Promise.reject(new Error('no room')) : inner.put(key, body)),
  };
  const slot = await makeSlot(db);
  const { segmentBytes } = await serverFacts(db);
  const reached: Reach[] = [];
  let stopped = false;
  const onReach = async (reach: Reach) => void reached.push(reach);
  const archive = async () => {
    const [slotNow] = await listSlots(db);
    const options = { db, connection, store, segmentBytes, lagMs: 50, onReach, isStopped: () => stopped };
    return archiveLog({ ...options, slot: slotNow! });
  };
  await expect(archive()).rejects.toThrow('no room');
  await db.query('select pg_switch_wal()');
  const { rows } = await db.query('select pg_current_wal_lsn()::text as lsn');
  expect(reached).toEqual([]);
  // Nobody holds it, so the server could stop; and nothing is forgotten of the segment that was begun.
  const waiting = await wait('nobody to hold it', async () => (await listSlots(db)).find(one => !one.isActive));
  expect(segmentStart(positionOf(waiting.lsn!), segmentBytes)).toBe(segmentStart(positionOf(slot.lsn!), segmentBytes));
  refusing = false;
  const running = archive();
  const reach = await wait('the archive to come after', () =>
    reached.find(one => positionOf(one.lsn) >= positionOf(rows[0].lsn)),
  );
  const base = { chain: slot.chain, timeline: reach.timeline, segmentBytes, startLsn: slot.lsn! };
  expect((await logSince(inner, base, reach)).length).toBeGreaterThan(1);
  await wait('the server to forget what is stored', async () => {
    const [now] = await listSlots(db);
    return now?.lsn && positionOf(now.lsn) > positionOf(slot.lsn!);
  });
  stopped = true;
  await running;
});
