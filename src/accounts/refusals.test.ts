import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { silentLog } from '../log.ts';
import { countedHere } from '../metrics/metrics.ts';
import { type ApiRefusal, listRefusals, RefusalLog } from './refusals.ts';

const database = await testDatabase();
afterAll(() => database.close());

const refusal = (accountId: number, cause: string): ApiRefusal => {
  return { accountId, operation: 'send-sms', code: 450, cause, address: '10.0.0.1', agent: 'test' };
};

function recordingLog() {
  const events: { fields: object; event: string }[] = [];
  return {
    events,
    log: { ...silentLog, warn: (fields: object, event: string) => void events.push({ fields, event }) },
  };
}

test('refusals are stored by themselves, soon, and listed newest first', async () => {
  const log = new RefusalLog(database.pool, silentLog);
  for (const cause of ['bir', 'iki', 'üç']) log.add(refusal(1, cause));
  await expect
    .poll(async () => (await listRefusals(database.pool, 1)).map(one => one.cause))
    .toEqual(['üç', 'iki', 'bir']);
  expect(await listRefusals(database.pool, 1, 1)).toMatchObject([{ ...refusal(1, 'üç'), at: expect.any(Date) }]);
});

test('under a flood the surplus is counted, not stored', async () => {
  const { events, log } = recordingLog();
  const refusals = new RefusalLog(database.pool, log);
  const before = await dropped();
  for (let i = 0; i < 1_200; i++) refusals.add(refusal(2, String(i)));
  await refusals.flush();
  expect(await listRefusals(database.pool, 2, 5_000)).toHaveLength(1_000);
  expect(events).toEqual([{ fields: { dropped: 200, error: 'too many at once' }, event: 'refusals not stored' }]);
  expect((await dropped()) - before).toBe(200);
});

/** As /metrics says; other test files of this process count too. */
async function dropped(): Promise<number> {
  const metric = (await countedHere()).find(one => one.name === 'peyk_log_entries_dropped_total');
  return metric?.values.find(({ labels }) => labels.log === 'refusals')?.value ?? 0;
}

test('when they cannot be stored nobody is disturbed, and the log says how many were lost', async () => {
  const { events, log } = recordingLog();
  const gone = await testDatabase();
  await gone.close();
  const refusals = new RefusalLog(gone.pool, log);
  refusals.add(refusal(3, 'x'));
  await refusals.flush();
  expect(events).toMatchObject([{ fields: { dropped: 1 } }]);
});
