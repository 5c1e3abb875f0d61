import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/program/app.ts';

const app = await testApp({ own: true });
afterAll(() => app.close());

const ready = async () => {
  const answer = await fetch(`${app.url}/health/ready`);
  return { code: answer.status, body: await answer.json() };
};

test('ready means that orders can be stored: a server that only reads is not ready, and is again when it writes', async () => {
  expect(await ready()).toEqual({ code: 200, body: { ready: true } });
  const readOnly = async (value: string) => {
    const database = (await app.db.query('select current_database() as name')).rows[0].name;
    await app.db.query(
      `set default_transaction_read_only = off; alter database ${database} set default_transaction_read_only = ${value}`,
    );
    await app.db.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name like 'peyk api %' and datname = current_database()`);
  };
  await readOnly('on');
  await expect.poll(ready).toEqual({ code: 503, body: { ready: false } });
  await readOnly('off');
  await expect.poll(ready).toEqual({ code: 200, body: { ready: true } });
});
