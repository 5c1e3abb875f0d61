// Immediate means immediate: when an order is due is said by the database's clock, which is also the one that asks.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { freshText, number, numbers, order, sender } from '../../test/support/samples.ts';
import { nowMs, setClock } from '../clock.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 10_000 });

test.each([
  ['one recipient', [number()]],
  ['many recipients, in one statement', numbers(300)],
  ['many recipients, copied in', numbers(1_200)],
])('an order to %s is due at once though the program’s clock is ahead', async (_name, recipients) => {
  const start = nowMs();
  const restore = setClock(() => start + 4 * 3_600_000);
  const id = await account.send(order({}, freshText(), recipients)).finally(restore);
  const { rows } = await app.db.query('select bool_and(due_at <= now()) as due from chunks where order_id = $1', [id]);
  expect(rows).toEqual([{ due: true }]);
});
