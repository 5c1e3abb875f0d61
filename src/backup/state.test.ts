import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { noteBase, noteChain, noteReach, noteTrouble, readBackupState } from './state.ts';

const database = await testDatabase();
afterAll(() => database.close());
const db = database.pool;

test('trouble is reported with its start, until the log or the base backup that failed goes well again', async () => {
  await noteTrouble(db, 'log: no room');
  const first = (await readBackupState(db))!;
  expect(first).toMatchObject({ trouble: 'log: no room', baseAt: null, reachedAt: null });
  await noteTrouble(db, 'log: still no room');
  await noteChain(db, 'aa');
  const state = await readBackupState(db);
  expect(state).toMatchObject({ chain: 'aa', trouble: 'log: still no room', troubleSince: first.troubleSince });
  await noteReach(db, '2026-03-01T00:00:00Z');
  expect(await readBackupState(db)).toMatchObject({ trouble: null, troubleSince: null });
  await noteTrouble(db, 'base backup: no room');
  await noteReach(db, '2026-03-01T00:00:01Z');
  expect(await readBackupState(db)).toMatchObject({ trouble: 'base backup: no room' });
  await noteTrouble(db, null);
  await noteBase(db, '2026-03-01T00:00:02Z');
  const last = { trouble: null, troubleSince: null, baseAt: new Date('2026-03-01T00:00:02Z') };
  expect(await readBackupState(db)).toMatchObject(last);
});
