// One flush makes durable what was committed before it was asked for; those who ask together share it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import type { Db } from './db.ts';
import { flusher } from './durable.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = database.pool;
  await db.query('create table notes (id integer)');
});
afterAll(() => database.close());

const ahead = async () =>
  (await db.query<{ ahead: boolean }>('select pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() as ahead'))
    .rows[0]!.ahead;

test('after a flush nothing that was committed before is only in memory', async () => {
  const tx = await db.connect();
  await tx.query('set synchronous_commit = off');
  const seen: boolean[] = [];
  for (let i = 0; i < 50; i++) {
    await tx.query('insert into notes values ($1)', [i]);
    const place = (await tx.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')).rows[0]!.lsn;
    seen.push(await ahead());
    await flusher(db)();
    const { rows } = await db.query('select pg_current_wal_flush_lsn() >= $1::pg_lsn as safe', [place]);
    expect(rows).toEqual([{ safe: true }]);
  }
  tx.release(true);
  // Otherwise the above would show nothing.
  expect(seen).toContain(true);
});

test('those who ask while a flush is under way share the next one', async () => {
  let flushes = 0;
  const count = () => void flushes++;
  db.on('acquire', count);
  const flush = flusher(db);
  await Promise.all(Array.from({ length: 20 }, () => flush()));
  db.off('acquire', count);
  expect(flushes).toBe(2);
});
