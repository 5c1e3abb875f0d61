// What loading events costs: single sends are a row of the outbox each, and a busy account has hundreds of them a second.
import { afterAll, expect, test } from 'vitest';
import { dispatchBench } from '../sending/dispatch-fixture.ts';
import { setWebhookUrl } from './endpoints.ts';

const bench = await dispatchBench();
afterAll(() => bench.close());

test('events of many single sends are brought by a handful of statements, not by some for each', async () => {
  const account = await bench.account();
  await setWebhookUrl(bench.db, account, 'http://127.0.0.1:9/', true);
  const singles = Array.from({ length: 300 }, (_, i) => ({ account, text: `tek ${i}`, number: 5_550_000_000 + i }));
  await bench.together(singles);
  const session = await bench.db.connect();
  let statements = 0;
  const count = () => statements++;
  try {
    await session.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
      set client_min_messages = log`);
    session.on('notice', count);
    const { rows } = await session.query(
      `select at from webhook_unfold(array[$1::bigint], array[250], 10, '{}', '{}', '{}')`,
      [account],
    );
    expect(rows.filter(one => one.at === 0)).toHaveLength(250);
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(20);
  } finally {
    session.off('notice', count);
    session.release(true);
  }
});
