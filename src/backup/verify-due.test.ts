// The last backup is read again every week; what is damaged becomes a metric that an alert watches.
import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { type Log, silentLog } from '../log.ts';
import { databaseMetricsOf } from '../metrics/stored/database-metrics.ts';
import { metrics } from '../metrics/table.ts';
import { loadConfig } from '../settings/config.ts';
import { now, setClock, takeBackClock } from '../time/clock.ts';
import { verifyWhenDue } from './backups.ts';
import { folderStore } from './folder-store.ts';
import { noteBase, noteChain, readBackupState } from './state.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
afterEach(() => void takeBackClock());

const hourMs = 3_600_000;
const events: string[] = [];
const log: Log = { ...silentLog, error: (_: object, event: string) => void events.push(event) };

async function damagedMetric(): Promise<number | undefined> {
  const counted = (await databaseMetricsOf(() => [[0, db]])()) as { name: string; values: { value: number }[] }[];
  return counted.find(one => one.name === 'peyk_backup_damaged')?.values[0]?.value;
}

test('the last backup is read again once a week, and one that is damaged raises the alert until one is whole', async () => {
  // A target that holds no whole backup.
  const store = folderStore(temporaryFolder());
  const look = (env: Record<string, string> = {}, from = store) =>
    verifyWhenDue({ db, config: loadConfig([], env).config, log }, from);
  await noteChain(db, 'aa');
  await noteBase(db, now().toISOString());
  expect(await damagedMetric()).toBe(0);
  await look({ PEYK_BACKUP_VERIFY_HOURS: '0' });
  expect((await readBackupState(db))!.verifiedAt).toBeNull();
  // A target that does not answer proves nothing: the next round asks it again.
  const away = { ...store, list: () => Promise.reject(new Error('timed out')) };
  await expect(look({}, away)).rejects.toThrow('reading the last one again: timed out');
  expect([events, (await readBackupState(db))!.verifiedAt]).toEqual([[], null]);
  await look();
  expect(events).toEqual(['BACKUP: what was read again is damaged']);
  expect((await readBackupState(db))!.damage).toContain('no whole backup');
  expect(await damagedMetric()).toBe(1);
  expect(metrics.peyk_backup_damaged.alerts[0]).toMatchObject({ name: 'PeykBackupDamaged', severity: 'critical' });

  const first = now().getTime();
  setClock(() => first + 167 * hourMs);
  await look();
  expect(events).toHaveLength(1);
  setClock(() => first + 169 * hourMs);
  await look();
  expect(events).toHaveLength(2);
});
