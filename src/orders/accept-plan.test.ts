// What a single send reads must not grow with what is stored, also where the statement was planned on empty tables.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { freshText, order, sender } from '../../test/support/samples.ts';

const app = await testApp();
afterAll(() => app.close());

test('a single send finds its duplicates by an index, however few orders there were when it was planned', async () => {
  const account = await app.open({ senders: [sender] });
  const sends = 80;
  for (let i = 0; i < sends; i++) await account.send(order({}, freshText()));
  // A session tells what it read when it ends.
  await app.db.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'peyk api'
    and datname = current_database()`);
  const read = async () =>
    (
      await app.db.query<{ byIndex: number; whole: number }>(
        `select idx_scan as "byIndex", seq_tup_read as whole from pg_stat_user_tables where relname = 'orders'`,
      )
    ).rows[0]!;
  await expect.poll(async () => (await read()).byIndex).toBeGreaterThanOrEqual(sends);
  // Read as a whole for each of them it would be 80 * 79 / 2.
  expect((await read()).whole).toBeLessThan(sends);
});
