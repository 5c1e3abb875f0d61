// Numbers that people act upon, each compared with the rows it is computed from.
import { afterAll, expect, test } from 'vitest';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

type Owner = Awaited<ReturnType<typeof panel.owner>>;

async function firstOf(orderId: number): Promise<number> {
  return (await pool.query('select first_message_id as first from orders where id = $1', [orderId])).rows[0].first;
}

async function settle(messageId: number, status: number, reason: number): Promise<void> {
  await pool.query('select settle(array[$1::bigint], array[$2::smallint], array[$3::smallint])', [
    messageId,
    status,
    reason,
  ]);
}

async function handOver(messageId: number): Promise<void> {
  await pool.query(
    "insert into carriers (name, host, port, system_id, password) values ('c', 'h', 1, 's', '') on conflict do nothing",
  );
  await pool.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
     select submit_day(now()), id, 'abc' || $1::bigint, $1::bigint, 1, 1 from carriers limit 1`,
    [messageId],
  );
}

async function courseOf(owner: Owner, orderId: number, messageId: number) {
  const { stages } = await owner.ok('orders.message', { orderId, messageId });
  const marks = stages.map(one => (one.isDone ? 'x' : one.isStopped ? '!' : '-')).join('');
  for (const one of stages) if (!one.isDone && !one.isStopped) expect(one.at).toBeNull();
  return marks;
}

test('a message ticks only the steps that it went through, and marks the one at which it ended', async () => {
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: ['5320000002'] });
  const numbers = ['5320000001', '5320000002', ...Array.from({ length: 9 }, (_, i) => String(5320000003 + i))];
  const id = await owner.sendOrder(numbers);
  const first = await firstOf(id);
  expect(await courseOf(owner, id, first)).toBe('xxx--');
  await handOver(first);
  expect(await courseOf(owner, id, first)).toBe('xxxx-');
  // Filtered at acceptance: the message ended at the check and was never queued.
  expect(await courseOf(owner, id, first + 1)).toBe('x!---');
  const ends: [reason: number, course: string][] = [
    [10, 'xxxxx'],
    [13, 'xxx-x'],
    [14, 'xxxx!'],
    [15, 'xxx!-'],
    [17, 'xxx!-'],
    [18, 'xxx!-'],
    [19, 'xxx!-'],
  ];
  for (const [i, [reason, course]] of ends.entries()) {
    await settle(first + 2 + i, 112, reason);
    expect(await courseOf(owner, id, first + 2 + i), String(reason)).toBe(course);
  }
  await settle(first + 9, 111, 0);
  expect(await courseOf(owner, id, first + 9)).toBe('xxxxx');
});

test('a message of a cancelled order was checked and never queued', async () => {
  const owner = await panel.owner();
  const id = await owner.sendOrder(['5320000001'], '2030-01-01 10:00');
  const first = await firstOf(id);
  expect(await courseOf(owner, id, first)).toBe('xx---');
  await owner.ok('orders.cancel', { id });
  expect(await courseOf(owner, id, first)).toBe('xx!--');
});

test('an order whose messages are all with carriers names no time that is left', async () => {
  const owner = await panel.owner();
  const id = await owner.sendOrder(['5320000001', '5320000002', '5320000003', '5320000004']);
  const first = await firstOf(id);
  await pool.query("update orders set send_at = now() - interval '45 minutes' where id = $1", [id]);
  await settle(first, 111, 0);
  await handOver(first + 1);
  await handOver(first + 2);
  const [queued] = (await owner.ok('overview.read', { period: '7d' })).running;
  expect(queued).toMatchObject({ queued: 1, withCarrier: 2 });
  expect(queued!.secondsLeft).toBeGreaterThan(1_000);
  await handOver(first + 3);
  await expect
    .poll(async () => (await owner.ok('live', {})).running[0], { timeout: 90_000 })
    .toMatchObject({ queued: 0, withCarrier: 3, secondsLeft: null, perSecond: null });
});

test('the webhook page, the bell and the overview tell the same of an address that fails, with its HTTP code', async () => {
  const owner = await panel.owner();
  const { accountId } = owner;
  await owner.ok('webhook.add', { url: 'https://ornek.com.tr/bildirim' });
  await owner.ok('webhook.add', { url: 'https://ornek.com.tr/saglam' });
  await pool.query(
    `insert into webhook_states (account_id, state, reason, answer_status, failures) values ($1, 'failing', 'status', 503, 4)
     on conflict (account_id) do update set state = 'failing', reason = 'status', answer_status = 503, failures = 4`,
    [accountId],
  );
  await pool.query(
    `insert into webhook_outbox (account_id, kind, order_id, message_ids) values ($1, 'final', 1, array[1, 2, 3]::bigint[])`,
    [accountId],
  );
  await pool.query(
    `insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, next_at, expires_at, created_at)
     values ($1, 1, 9, 'final', 'delivered', 'pending', '{}', now() + interval '1 hour', now() + interval '1 day', now())`,
    [accountId],
  );
  const { webhooks } = await owner.ok('webhook.list', {});
  const [page] = webhooks;
  expect(webhooks.map(one => one.state)).toEqual(['failing', 'healthy']);
  const live = await owner.ok('live', {});
  const { attention } = await owner.ok('overview.read', { period: '7d' });
  const warned = attention.find(one => one.kind === 'webhook')!;
  expect([page!.waiting, live.webhookWaiting, warned.waiting]).toEqual([4, 4, 4]);
  for (const reason of [page!.reason, live.webhookReason, warned.reason]) expect(reason?.tr).toContain('HTTP 503');
});
