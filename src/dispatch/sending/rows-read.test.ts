// What sending reads must not grow with what is stored, whatever the planner believed when its statements were planned:
// plans are kept until the next ANALYZE, and tables grow from nothing to thousands of rows before that.
import { expect, test } from 'vitest';
import { beliefs } from '../../../test/support/rows-read.ts';
import { wait } from '../../../test/support/wait.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';

const orders = 100;
const tables = ['chunks', 'messages', 'orders', 'submissions'];

for (const [belief, set] of Object.entries(beliefs))
  test(`orders are sent and settled by index where ${belief}`, async () => {
    const bench = await dispatchBench();
    try {
      await bench.db.query(set);
      const account = await bench.account();
      await bench.carrier('tek');
      const dispatcher = await bench.dispatcher();
      await bench.finished(await bench.accept(account, 'ilk', [905550000000]));
      await Promise.all(
        Array.from({ length: orders }, (_, i) => bench.accept(account, `kod ${i}`, [905550000001 + i])),
      );
      await wait('all orders to end', async () => (await open(bench)) === 0);
      // A session tells what it read when it ends.
      await dispatcher.stop();
      const { rows } = await bench.db.query<{ name: string; read: number }>(
        `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
         where relname = any ($1) order by 1`,
        [tables],
      );
      expect(rows.map(row => row.name)).toEqual(tables);
      // Two to four rows for an order; all of those before it would be 50 each time.
      for (const row of rows) expect.soft(row.read / orders, row.name).toBeLessThan(15);
    } finally {
      await bench.close();
    }
  });

async function open(bench: DispatchBench): Promise<number> {
  return (await bench.db.query(`select count(*) as n from orders where state = 'sending'`)).rows[0].n;
}
