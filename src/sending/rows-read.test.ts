// The rows that sending reads must not grow with the size of the tables, whatever statistics the statements were planned with: plans are
// kept until the next ANALYZE, and tables grow from nothing to thousands of rows before that.
import { expect, test } from 'vitest';
import { blocksOf } from '../../test/support/database/blocks.ts';
import { beliefs, rowsRead } from '../../test/support/database/rows-read.ts';
import { wait } from '../../test/support/run/wait.ts';
import type { Queryable } from '../db/db.ts';
import { dispatchBench } from './dispatch-fixture.ts';

const orders = 100;
const tables = ['chunks', 'messages', 'orders'];

for (const [belief, set] of Object.entries(beliefs))
  test(`orders are sent and settled by index where ${belief}`, async () => {
    const bench = await dispatchBench({ own: true });
    try {
      await bench.db.query(set);
      const account = await bench.account();
      await bench.carrier('tek');
      const dispatcher = await bench.dispatcher();
      await bench.finished(await bench.accept(account, 'ilk', [905550000000]));
      await Promise.all(
        Array.from({ length: orders }, (_, i) => bench.accept(account, `kod ${i}`, [905550000001 + i])),
      );
      // The reads of the wait itself are subtracted: on a busy machine they are the larger part.
      const looked: Record<string, number> = {};
      await wait('all orders to end', async () => {
        let left = 0;
        const read = await rowsRead(bench.db, async tx => {
          left = await open(tx);
        });
        for (const table of tables) looked[table] = (looked[table] ?? 0) + (read[table] ?? 0);
        return left === 0;
      });
      // A session reports its reads when it ends.
      await dispatcher.stop();
      const { rows } = await bench.db.query<{ name: string; read: number }>(
        `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
         where relname = any ($1) order by 1`,
        [tables],
      );
      expect(rows.map(row => row.name)).toEqual(tables);
      // Two to four rows for an order; a scan of all earlier ones would be 50 each time.
      for (const row of rows) expect.soft((row.read - looked[row.name]!) / orders, row.name).toBeLessThan(15);
    } finally {
      await bench.close();
    }
  });

for (const [belief, set] of Object.entries(beliefs))
  test(`a submit in doubt is compared with the others by index where ${belief}`, async () => {
    const bench = await dispatchBench({ own: true });
    try {
      await bench.db.query(set);
      const account = await bench.account();
      await bench.carrier('tek');
      await bench.accept(
        account,
        'cok',
        Array.from({ length: 20_000 }, (_, i) => 5_551_000_000 + i),
      );
      const order = await bench.accept(account, 'belirsiz', [5_550_000_001]);
      const [message] = await bench.messages(order);
      await bench.db.query(
        `with d as (insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single)
           select m.id, m.account_id, 0, m.number, 0, c.id, now() - interval '1 minute', true from messages m, carriers c where m.id = $1 returning number)
         insert into receipts (carrier_id, smsc_id, status, reason, number) select c.id, 'x', 111, 0, d.number from d, carriers c`,
        [message!.id],
      );
      const blocks = await blocksOf(bench.db, `select adopt(array[${message!.id}])`);
      // A dozen look-ups; the messages are 180 blocks.
      expect(blocks).toBeLessThan(100);
    } finally {
      await bench.close();
    }
  });

for (const [belief, set] of Object.entries(beliefs))
  test(`thousands of submits in doubt and thousands of receipts are not compared each with each where ${belief}`, async () => {
    const bench = await dispatchBench({ own: true });
    try {
      await bench.db.query(set);
      await bench.carrier('tek');
      // Every hundredth number has both.
      await bench.db.query(`
        insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single)
          select i, 1, 0, 905550000000 + i, 0, c.id, now() - interval '1 minute', true from carriers c, generate_series(1, 4000) i;
        insert into receipts (carrier_id, smsc_id, status, reason, number)
          select c.id, i::text, 111, 0, 905550000000 + case i % 100 when 0 then i else -i end from carriers c, generate_series(1, 4000) i`);
      // Each table is a few dozen blocks; a nested loop over both reads hundreds of thousands.
      expect(await blocksOf(bench.db, 'select adopt(null)')).toBeLessThan(15_000);
    } finally {
      await bench.close();
    }
  });

async function open(db: Queryable): Promise<number> {
  return (await db.query(`select count(*) as n from orders where state = 'sending'`)).rows[0].n;
}
