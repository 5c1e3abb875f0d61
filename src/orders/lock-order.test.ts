// Two processes that store at the same time wait for each other, never for one another: docs/decisions/0007.
import { afterAll, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { audit } from '../audit/invariants.ts';
import type { Tx } from '../db/db.ts';
import { claimChunks, moveMarks } from '../queue/claim.ts';
import { registerDispatcher, releaseLeases } from '../queue/dispatcher-lease.ts';
import { FlushBatch, flush } from '../receipts/flush.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';

const bench: DispatchBench = await dispatchBench();
const { db } = bench;
afterAll(() => bench.close());

const limits = { messages: 500 };
type Sent = { id: number; account: number; message: number };

async function orders(accounts: number[], text: string, each = 1): Promise<Sent[]> {
  const numbers = (i: number) => Array.from({ length: each }, (_, n) => 905550000000 + i + 1_000 * n);
  const ids = await Promise.all(accounts.map((account, i) => bench.accept(account, `${text} ${i}`, numbers(i))));
  const { rows } = await db.query(
    'select order_id as id, account_id as account, id as message from messages where order_id = any ($1) order by id',
    [ids],
  );
  return rows as Sent[];
}

function undelivered(sent: Sent[]): FlushBatch {
  const batch = new FlushBatch();
  for (const one of sent) batch.addEnd(one.message, 112, 14);
  return batch;
}

async function inSession<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.connect();
  try {
    return await work(tx);
  } finally {
    tx.release();
  }
}

/** Waits until so many sessions of this database wait for a lock. */
function blocked(count: number): Promise<unknown> {
  return wait(`${count} sessions to wait for a lock`, async () => {
    const { rows } = await db.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].n === count;
  });
}

test.each([
  ['messages', 'id', (one: Sent) => one.message],
  ['orders', 'id', (one: Sent) => one.id],
  ['balances', 'account_id', (one: Sent) => one.account],
])('a recorder takes %s by their keys, in whatever order they are named', async (table, key, keyOf) => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => bench.account()));
  const sent = await orders([...accounts, ...accounts], table);
  const keys = sent.map(keyOf);
  const lock = `select 1 from ${table} where ${key} = any ($1) order by ${key} for update`;
  await inSession(holder =>
    inSession(async other => {
      await holder.query('begin');
      await holder.query(lock, [[Math.min(...keys)]]);
      await other.query('begin');
      const taken = other.query(lock, [keys]);
      await blocked(1);
      const stored = flush(db, 0, 0, undelivered([...sent].reverse()));
      await blocked(2);
      await holder.query('commit');
      await taken;
      await other.query('commit');
      expect((await stored).settled).toBe(sent.length);
    }),
  );
});

test('two recorders that end the same messages in opposite order, of many orders and accounts, both finish', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => bench.account()));
  for (let round = 0; round < 5; round++) {
    const sent = await orders(
      Array.from({ length: 160 }, (_, i) => accounts[(i * 5) % 8]!),
      `tur ${round}`,
    );
    const [odd, even] = [sent.filter((_, i) => i % 2), sent.filter((_, i) => i % 2 === 0)];
    const settled = await Promise.all([
      flush(db, 0, 0, undelivered([...even, ...odd])),
      flush(db, 0, 0, undelivered([...odd, ...even].reverse())),
      orders([...accounts].reverse(), `yeni ${round}`),
    ]);
    expect(settled[0].settled + settled[1].settled).toBe(160);
  }
  expect((await audit(db)).findings.filter(one => !one.invariant.includes('lease'))).toEqual([]);
});

test('marks are moved while the leases are given back, in whatever order they are named', async () => {
  const account = await bench.account();
  // One after the other, so that each has a chunk of its own.
  for (let i = 0; i < 60; i++) await orders([account], `isaret ${i}`, 2);
  const owner = await registerDispatcher(db, 'two');
  const claimed = await claimChunks(db, owner, 0, [{ id: account, mark: 100 }], limits);
  const marks = claimed.map(one => ({ chunkId: one.chunkId!, token: one.token, mark: 1 })).reverse();
  expect(marks.length).toBeGreaterThan(30);
  const last = marks[0]!;
  await inSession(async holder => {
    await holder.query('begin');
    await holder.query('select 1 from chunks where id = $1 for update', [last.chunkId]);
    const moved = moveMarks(db, marks);
    await blocked(1);
    const released = releaseLeases(db, owner);
    await blocked(2);
    await holder.query('commit');
    const [still, given] = await Promise.all([moved, released]);
    expect([still.size, given]).toEqual([marks.length, marks.length]);
  });
});
