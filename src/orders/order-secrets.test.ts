// Codes that stand in no order: who may send them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DispatchBench, dispatchBench, secretKey } from '../dispatch/dispatch-fixture.ts';
import { beginSealing } from './begin-sealing.ts';
import { registerDispatcher } from './dispatcher-lease.ts';
import { keepSecret } from './order-secrets.ts';

let bench: DispatchBench;
beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(() => bench.close());

test('a dispatcher of a release that knows no codes leaves them to others as long as they are good, and nothing else', async () => {
  const account = await bench.account();
  await bench.accept(account, 'Kodunuz ******', [905550000001]);
  const claim = async (owner: number) => {
    const { rows } = await bench.db.query(
      'select chunk_id from claim_chunks_1($1, 0::smallint, array[$2::bigint], array[100], 500, 0) where chunk_id is not null',
      [owner, account],
    );
    await bench.db.query('update chunks set lease_owner = null, lease_token = null, mark = 0');
    return rows.length;
  };
  const { rows } = await bench.db.query("insert into dispatchers (node) values ('0.1.0') returning id");
  const [before, now] = [rows[0].id as number, await registerDispatcher(bench.db, 'x')];
  expect([await claim(before), await claim(now)]).toEqual([1, 1]);
  await keepSecret(bench.db, secretKey, account, 'key', '123456');
  expect([await claim(before), await claim(now)]).toEqual([0, 1]);
  await bench.db.query("update order_secrets set created_at = now() - interval '11 minutes'");
  expect(await claim(before)).toBe(1);
});

test('sealing is not turned on while an older release gives signs of life; once it is, such a one leases nothing', async () => {
  const account = await bench.account();
  await bench.accept(account, 'Merhaba', [905550000001]);
  const { rows } = await bench.db.query("insert into dispatchers (node) values ('eski') returning id");
  let lives = true;
  const beating = (async () => {
    while (lives) await bench.db.query('update dispatchers set beat = beat + 1 where id = $1', [rows[0].id]);
  })();
  await expect(beginSealing(bench.db, 60_000)).rejects.toThrow('eski runs an older release');
  lives = false;
  await beating;
  const claims = async (owner: number) =>
    (
      await bench.db.query(
        'select chunk_id from claim_chunks_1($1, 0::smallint, array[$2::bigint], array[100], 500, 0) where chunk_id is not null',
        [owner, account],
      )
    ).rows.length;
  // Silent: what a node that was killed left behind.
  await beginSealing(bench.db, 1);
  expect([await claims(rows[0].id), await claims(await registerDispatcher(bench.db, 'x'))]).toEqual([0, 1]);
});
