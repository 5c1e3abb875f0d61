import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { ApiCallLog, type ApiCallMade, callsKept } from './api-calls.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const made = (accountId: number, more: Partial<ApiCallMade> = {}): ApiCallMade => {
  return {
    accountId,
    operation: 'get-balance',
    ms: 3,
    orderId: null,
    key: 'abcdefghijkl',
    address: '10.0.0.1',
    ...more,
  };
};
const stored = async (accountId: number) =>
  (await db.query('select * from api_calls where account_id = $1 order by id', [accountId])).rows;

test('a successful call is stored by itself, soon, with the start of its key and its order', async () => {
  const log = new ApiCallLog(db, silentLog);
  log.add(made(1, { operation: 'send-sms', orderId: 100000001 }));
  log.add(made(1, { key: null }));
  await wait('both calls', async () => (await stored(1)).length === 2);
  expect(await stored(1)).toMatchObject([
    { operation: 'send-sms', ms: 3, order_id: 100000001, key_start: 'abcdefgh', address: '10.0.0.1' },
    { operation: 'get-balance', order_id: null, key_start: null },
  ]);
});

test('of a busy account some calls a second are kept, and none of the others suffers', async () => {
  const log = new ApiCallLog(db, silentLog);
  for (let i = 0; i < 100_000; i++) log.add(made(2));
  log.add(made(3));
  await log.flush();
  expect([(await stored(2)).length, (await stored(3)).length]).toEqual([10, 1]);
});

test('what does not fit into memory is dropped, the oldest first, and the log says how much', async () => {
  const warned: object[] = [];
  const log = new ApiCallLog(db, { ...silentLog, warn: (fields: object) => void warned.push(fields) });
  for (let i = 0; i < 1_200; i++) log.add(made(1_000 + i));
  await log.flush();
  const { rows } = await db.query(
    'select min(account_id) as first, count(*) as count from api_calls where account_id >= 1000',
  );
  expect(rows).toEqual([{ first: 1_200, count: 1_000 }]);
  expect(warned).toEqual([{ dropped: 200, error: 'too many at once' }]);
});

test('an account keeps its newest calls and no more, also those of processes before', async () => {
  await db.query(
    `insert into api_calls (account_id, at, operation, ms, address) select 5, now(), 'old', 1, '' from generate_series(1, 3000)`,
  );
  const log = new ApiCallLog(db, silentLog);
  log.add(made(5));
  await log.flush();
  const kept = await stored(5);
  expect([kept.length, kept.at(-1).operation]).toEqual([callsKept, 'get-balance']);
});
