// A number is the same on every page that shows it, for scheduled, split, cancelled and repeated orders.
import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../../log.ts';
import { fireDue } from '../../queue/fire.ts';
import { toTurkeyTime } from '../../time/clock.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

type Owner = Awaited<ReturnType<typeof panel.owner>>;

async function messagesToday(owner: Owner) {
  const today = toTurkeyTime(new Date()).slice(0, 10);
  const staff = await panel.staff();
  const ofAll = (await staff.ok('staff.status', {})).today;
  const report = await owner.ok('reports.read', { from: today, to: today });
  const ofStaff = (await staff.ok('staff.account', { id: owner.accountId })).orders30Days;
  const overview = (await owner.ok('overview.read', { period: 'today' })).today;
  const results = [ofAll, report.sums, ofStaff, overview];
  return results.map(one => [one.total, one.delivered]);
}

test('the messages of today are one number in staff’s status and account page and in the customer’s overview and report', async () => {
  const owner = await panel.owner();
  expect(await messagesToday(owner)).toEqual(Array(4).fill([0, 0]));
  // Sent at once, and the same numbers again.
  const first = await owner.sendOrder(['5320000001', '5320000002', '5320000003']);
  const { numbers } = await owner.ok('orders.reuse', { id: first, which: 'all' });
  await owner.sendOrder(numbers);
  // Scheduled for later: it does not count, before and after its cancellation.
  await owner.sendOrder(['5320000004', '5320000005'], '2099-01-01 10:00');
  await owner.ok('orders.cancel', { id: await owner.sendOrder(['5320000006'], '2099-01-01 10:00') });
  // Split into one order per hour.
  const head = { sender: 'APITEST', text: 'Parça', commercial: false, sendAt: '2099-03-02 19:30', perHour: 10 };
  const { id } = await owner.ok('drafts.create', { head });
  const shape = { fileName: 'liste.csv', header: false, numberColumn: 0, names: ['numara'] };
  const rows = Array.from({ length: 25 }, (_, i) => [String(5_550_000_000 + i)]);
  const { listNo } = await owner.ok('drafts.startList', { id, shape, rows: rows.length });
  await owner.ok('drafts.putRows', { id, listNo, no: 0, rows });
  const { version } = await owner.ok('drafts.prepare', { id });
  const { orderIds } = await owner.ok('drafts.submit', { id, version });
  expect(orderIds).toHaveLength(3);
  await settle(owner, first);
  // (Answers are cached for five seconds.)
  await expect.poll(() => messagesToday(owner), { timeout: 60_000 }).toEqual(Array(4).fill([6, 3]));

  // An order that was accepted two days ago and left a moment ago counts for today.
  await pool.query(
    "update orders set submit_at = now() - interval '2 days', send_at = now() - interval '1 second' where id = $1",
    [orderIds[0]],
  );
  await fireDue(pool, silentLog, 90_000_000);
  await expect.poll(() => messagesToday(owner), { timeout: 60_000 }).toEqual(Array(4).fill([16, 3]));
});

async function settle(owner: Owner, orderId: number): Promise<void> {
  await pool.query(
    `select settle(array_agg(m.id), array_agg(111::smallint), array_agg(0::smallint))
     from messages m where m.account_id = $1 and m.order_id = $2`,
    [owner.accountId, orderId],
  );
}
