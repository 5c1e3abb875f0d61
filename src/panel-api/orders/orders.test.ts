import { afterAll, expect, test } from 'vitest';
import { acceptOrder } from '../../accept/accept.ts';
import { AcceptQueue } from '../../accept/accept-queue.ts';
import type { OrderDraft } from '../../accept/draft.ts';
import { findAccount } from '../../accounts/account.ts';
import { sendSmsRequest } from '../../api/orders-contract.ts';
import { closeAfterMs, startPanel } from '../panel-fixture.ts';
import { asRequest, notCopied } from './as-request.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

let keys = 0;

type Owner = Awaited<ReturnType<typeof panel.owner>>;

async function send(owner: Owner, recipients: string[], text = 'Merhaba'): Promise<number> {
  const given = { sender: 'APITEST', text, recipients, sendAt: null, commercial: false };
  return (await owner.ok('send.submit', { ...given, idempotencyKey: `anahtar-${++keys}` })).orderId;
}

type End = [status: number, reason: number];
const arrived: End = [111, 0];
const failed: End = [112, 10];

/** Settles each message of the order with a carrier's status and reason, in the order's sequence; null leaves it pending. */
async function settle(_owner: Owner, orderId: number, ends: (End | null)[]): Promise<void> {
  const { rows } = await pool.query('select first_message_id as first from orders where id = $1', [orderId]);
  for (const [i, end] of ends.entries()) {
    if (!end) continue;
    await pool.query('select settle(array[$1::bigint], array[$2::smallint], array[$3::smallint])', [
      Number(rows[0].first) + i,
      ...end,
    ]);
  }
}

async function handOver(messageId: number): Promise<void> {
  await pool.query(
    "insert into carriers (name, host, port, system_id, password) values ('c', 'h', 1, 's', '') on conflict do nothing",
  );
  await pool.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
     select submit_day(now()), id, 'abc', $1, 1, 1 from carriers limit 1`,
    [messageId],
  );
}

const ascending = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
const four = ['5320000001', '5420000002', '5050000003', '5320000004'];

/** An order to four recipients, the last of whom is on the blacklist. */
async function sentToFour(): Promise<{ owner: Owner; id: number }> {
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: [four[3]!] });
  return { owner, id: await send(owner, four) };
}

test('a message that a carrier took is with its carrier on every page, and one that has ended is not', async () => {
  const { owner, id } = await sentToFour();
  const all = (await owner.ok('orders.recipients', { id })).rows.map(one => one.messageId).sort(ascending);
  for (const taken of all.slice(0, 3)) await handOver(taken!);
  await settle(owner, id, [arrived]);
  const counts = { total: 4, delivered: 1, undelivered: 0, filtered: 1, withCarrier: 2, queued: 0 };
  expect(await owner.ok('orders.read', { id })).toMatchObject(counts);
  expect((await owner.ok('orders.list', {})).rows[0]).toMatchObject(counts);
  const found = (await owner.ok('orders.recipients', { id, state: 'with-carrier' })).rows;
  expect(found.map(one => one.messageId).sort(ascending)).toEqual([all[1], all[2]]);
  expect((await owner.ok('orders.recipients', { id, state: 'queued' })).rows).toEqual([]);
});

test('the five counters tell every state apart and always sum to the total', async () => {
  const { owner, id } = await sentToFour();
  await settle(owner, id, [arrived, failed]);
  const [third] = (await owner.ok('orders.recipients', { id, state: 'queued' })).rows;
  await handOver(third!.messageId);
  const order = await owner.ok('orders.read', { id });
  expect(order).toMatchObject({ total: 4, delivered: 1, undelivered: 1, filtered: 1, withCarrier: 1, queued: 0 });
  // A message without a receipt ends then: its validity plus the time allowed for receipts.
  expect(Date.parse(order.endsBy!)).toBeGreaterThan(Date.parse(order.sendAt));
  // One that is sent slowly ends that long after its newest submit.
  const { rows } = await pool.query(
    `update submits set submitted_at = submitted_at + interval '7 hours' where message_id = $1 returning submitted_at as at`,
    [third!.messageId],
  );
  const slow = await owner.ok('orders.read', { id });
  expect(Date.parse(slow.endsBy!) - rows[0].at.getTime()).toBe(closeAfterMs);
  expect(order.operators).toEqual(
    expect.arrayContaining([
      { operator: 'turkcell', total: 2, delivered: 1, undelivered: 0, filtered: 1, withCarrier: 0, queued: 0 },
      { operator: 'vodafone', total: 1, delivered: 0, undelivered: 1, filtered: 0, withCarrier: 0, queued: 0 },
    ]),
  );
  expect(order.reasons.map(one => [one.key, one.filtered, one.advice.tr !== ''])).toEqual(
    expect.arrayContaining([
      ['absent', false, true],
      ['blacklisted', true, true],
    ]),
  );
  const line = (await owner.ok('orders.list', {})).rows[0]!;
  expect(line.delivered + line.undelivered + line.filtered + line.withCarrier + line.queued).toBe(line.total);
  expect((await owner.ok('live', {})).running.map(one => one.id)).toEqual([id]);
  await settle(owner, id, [null, null, [111, 0]]);
  expect(await owner.ok('orders.read', { id })).toMatchObject({
    state: 'finished',
    delivered: 2,
    consumed: 2,
    credits: 2,
  });
});

test('while messages come to their ends, every reading adds up and none goes back', async () => {
  const owner = await panel.owner();
  await pool.query('update balances set sms = sms + 1000 where account_id = $1', [owner.accountId]);
  const count = 400;
  const id = await send(owner, ['abc', ...Array.from({ length: count }, (_, i) => String(5_320_000_100 + i))]);
  let isOver = false;
  const settling = settle(
    owner,
    id,
    Array.from({ length: count + 1 }, (_, i) => (i === 0 ? null : [i % 5 ? 111 : 112, i % 5 ? 0 : 10])),
  ).finally(() => {
    isOver = true;
  });
  let ended = 0;
  let readings = 0;
  do {
    const page = await owner.ok('orders.read', { id });
    const line = (await owner.ok('orders.list', {})).rows[0]!;
    for (const one of [page, line]) {
      expect(one.delivered + one.undelivered + one.filtered + one.withCarrier + one.queued).toBe(one.total);
      expect(one.delivered + one.undelivered + one.filtered).toBeGreaterThanOrEqual(ended);
      ended = one.delivered + one.undelivered + one.filtered;
    }
    const sumOf = (key: 'delivered' | 'undelivered' | 'queued') =>
      page.operators.reduce((sum, one) => sum + one[key], 0);
    expect([sumOf('delivered'), sumOf('undelivered'), sumOf('queued')]).toEqual([
      page.delivered,
      page.undelivered,
      page.queued,
    ]);
    readings += 1;
  } while (!isOver);
  await settling;
  expect(readings).toBeGreaterThan(3);
  expect(await owner.ok('orders.read', { id })).toMatchObject({
    ...{ state: 'finished', delivered: 320, undelivered: 80, endsBy: null },
  });
});

test('the delivery curve never falls, keeps to sixty points, ends at the counters, and tells the usual times', async () => {
  const owner = await panel.owner();
  const id = await send(owner, four);
  expect((await owner.ok('orders.read', { id })).curve).toEqual([]);
  await settle(owner, id, [arrived, arrived, arrived, failed]);
  // The first three at once, the last after five minutes.
  await pool.query(
    `update messages m set final_at = o.send_at + case when m.status = 112 then interval '300 s' else interval '2 s' end
     from orders o where o.id = m.order_id and o.id = $1`,
    [id],
  );
  const { curve, p50Seconds, delivered, undelivered } = await owner.ok('orders.read', { id });
  expect(curve.length).toBeLessThanOrEqual(60);
  expect(curve.at(0)).toMatchObject({ delivered: 3, undelivered: 0 });
  expect(curve.at(-1)).toMatchObject({ delivered, undelivered });
  for (const key of ['delivered', 'undelivered', 'at'] as const)
    expect(curve.map(point => point[key])).toEqual(curve.map(point => point[key]).sort(ascending));
  expect(p50Seconds).toBe(2);
});

test('an unknown outcome is a reason of its own in the order, the list of recipients, the message and the file, in words for customers', async () => {
  const { owner, id } = await sentToFour();
  await settle(owner, id, [[112, 15], arrived]);
  const words = { key: 'outcome-unknown', tr: 'Operatörün yanıtı alınamadı; iletilip iletilmediği bilinmiyor.' };
  expect((await owner.ok('orders.read', { id })).reasons.find(one => one.no === 15)).toMatchObject(words);
  const { rows } = await owner.ok('orders.recipients', { id, reason: 15 });
  expect(rows).toMatchObject([{ reason: words }]);
  const { messageId } = rows[0]!;
  expect((await owner.ok('orders.message', { orderId: id, messageId })).reason).toMatchObject(words);
  const { body } = await owner.get(`/panel/api/export/recipients?id=${id}`);
  expect(body.split('\n').filter(line => line.includes(words.tr))).toHaveLength(1);
});

test('recipients are filtered by state, reason, operator and number, and paged', async () => {
  const owner = await panel.owner();
  const id = await send(owner, [...four, 'abc']);
  await settle(owner, id, [arrived, [112, 12]]);
  const list = async (filter: object) =>
    (await owner.ok('orders.recipients', { id, ...filter })).rows.map(one => one.number);
  expect(await list({ state: 'delivered' })).toEqual(['+905320000001']);
  expect(await list({ state: 'undelivered' })).toEqual(['+905420000002']);
  expect(await list({ state: 'filtered' })).toEqual(['abc']);
  expect(await list({ reason: 12 })).toEqual(['+905420000002']);
  expect(await list({ operator: 'turkcell' })).toEqual(['+905320000001', '+905320000004']);
  expect(await list({ operator: 'other' })).toEqual([]);
  expect(await list({ number: '0505 000 00 03' })).toEqual(['+905050000003']);
  expect(await list({ number: '0004' })).toEqual(['+905320000004']);
  const first = await owner.ok('orders.recipients', { id, limit: 3 });
  const second = await owner.ok('orders.recipients', { id, limit: 3, cursor: first.next! });
  expect([first.rows.length, second.rows.length, second.next]).toEqual([3, 2, null]);
});

test('orders are found by id, number and text in any Turkish case, and paged by key', async () => {
  const owner = await panel.owner();
  const ids = [];
  for (const text of ['İstanbul şubemiz', 'Ankara', 'IZMIR']) ids.push(await send(owner, [four[ids.length]!], text));
  await pool.query("update orders set submit_at = now() - interval '1 day' where id = $1", [ids[0]]);
  const search = async (text: string) => (await owner.ok('orders.list', { search: text })).rows.map(one => one.id);
  expect(await search(String(ids[1]))).toEqual([ids[1]]);
  expect(await search('0542 000 00 02')).toEqual([ids[1]]);
  for (const spelling of ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul'])
    expect(await search(spelling)).toEqual([ids[0]]);
  expect(await search('%')).toEqual([]);
  const first = await owner.ok('orders.list', { limit: 2 });
  const second = await owner.ok('orders.list', { limit: 2, cursor: first.next! });
  expect([...first.rows, ...second.rows].map(one => one.id)).toEqual([ids[2], ids[1], ids[0]]);
  expect((await owner.ok('orders.list', { source: 'api' })).rows).toEqual([]);
  const yesterday = new Date(Date.now() - 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);
  expect((await owner.ok('orders.list', { from: yesterday, to: yesterday })).rows.map(one => one.id)).toEqual([ids[0]]);
});

test('the page of a number shows messages, replies, blacklist and consent on one line of time', async () => {
  const owner = await panel.owner();
  const id = await send(owner, ['5320000001']);
  await settle(owner, id, [[112, 10]]);
  await pool.query('insert into brands (account_id, code) values ($1, 321)', [owner.accountId]);
  await pool.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date)
     values ($1, 321, '+905320000001', 'BIREYSEL', 'MESAJ', 'RET', 'HS_WEB', now())`,
    [owner.accountId],
  );
  await pool.query(
    `insert into inbound_messages (account_id, number, number_text, recipient, text, effect, received_at)
     values ($1, 905320000001, '+905320000001', '7889', 'RET', 'blacklisted', now())`,
    [owner.accountId],
  );
  await owner.ok('blacklist.add', { numbers: ['5320000001'], note: 'aradı' });
  const view = await owner.ok('number.read', { number: '0532 000 00 01' });
  expect(view).toMatchObject({
    number: '+905320000001',
    operator: 'turkcell',
    blacklist: { source: 'panel', note: 'aradı' },
  });
  expect(view.consents).toMatchObject([{ brand: 321, status: 'RET', type: 'MESAJ', recipientType: 'BIREYSEL' }]);
  expect(view.events.map(one => one.kind).sort()).toEqual(['blacklisted', 'consent', 'inbound', 'message']);
  expect(view.events.find(one => one.kind === 'message')).toMatchObject({
    orderId: id,
    state: 'undelivered',
    credits: 0,
  });
  expect((await owner.refusal('number.read', { number: '12' })).code).toBe('bad-number');
  // The same after the number index has processed the order.
  await pool.query('select number_ended_orders(500, 5000)');
  expect((await owner.ok('number.read', { number: '5320000001' })).events).toHaveLength(4);
  expect((await owner.ok('orders.list', { search: '5320000001' })).rows.map(one => one.id)).toEqual([id]);
});

test('the overview counts today, the rate and the operators by one definition', async () => {
  const { owner, id } = await sentToFour();
  await settle(owner, id, [arrived, failed, arrived]);
  const overview = await owner.ok('overview.read', { period: '7d' });
  expect(overview.today).toMatchObject({ total: 4, delivered: 2, undelivered: 1, filtered: 1, queued: 0 });
  expect(overview.deliveryRate).toBeCloseTo(2 / 3);
  expect(overview.series.reduce((sum, one) => sum + one.delivered, 0)).toBe(2);
  expect(overview.operators.reduce((sum, one) => sum + one.delivered + one.undelivered, 0)).toBe(3);
  expect(overview.balance).toBe(98);
  expect(overview.attention).toEqual([]);
});

test('hours that are over are counted once and kept, open ones again and again', async () => {
  const owner = await panel.owner();
  const id = await send(owner, four.slice(0, 2));
  await pool.query(
    "update orders set submit_at = now() - interval '3 hours', send_at = now() - interval '3 hours' where id = $1",
    [id],
  );
  await owner.ok('overview.read', { period: '7d' });
  const settled = async () =>
    (await pool.query("select * from traffic_sums where account_id = $1 and operator = 'all'", [owner.accountId])).rows
      .length;
  expect(await settled()).toBe(0);
  await settle(owner, id, [arrived, arrived]);
  const { today, series } = await owner.ok('overview.read', { period: '30d' });
  expect(series.reduce((sum, one) => sum + one.delivered, 0)).toBe(2);
  expect(today.total).toBeLessThanOrEqual(2);
  expect(await settled()).toBe(1);
});

test('the ledger carries the balance after each entry, whatever is filtered', async () => {
  const owner = await panel.owner();
  const id = await send(owner, four.slice(0, 2));
  await settle(owner, id, [arrived, failed]);
  const all = (await owner.ok('balance.ledger', {})).rows;
  expect(all.map(one => [one.kind, one.sms, one.balanceAfter])).toEqual([
    ['release', 1, 99],
    ['consume', 0, 98],
    ['reserve', -2, 98],
    ['grant', 100, 100],
  ]);
  expect((await owner.ok('balance.ledger', { kind: 'reserve' })).rows).toMatchObject([
    { balanceAfter: 98, orderId: id },
  ]);
  expect((await owner.ok('balance.ledger', { orderId: id })).rows).toHaveLength(3);
});

test('by order the ledger is one line for each, with what it reserved, used and gave back', async () => {
  const owner = await panel.owner();
  const first = await send(owner, four.slice(0, 3));
  await settle(owner, first, [arrived, failed]);
  const second = await send(owner, four, 'başka');
  await settle(owner, second, [arrived, arrived, arrived, arrived]);
  const lines = (await owner.ok('balance.ledger', { byOrder: true })).rows;
  expect(lines.map(one => [one.orderId, one.sms, one.order, one.balanceAfter])).toEqual([
    [second, -4, { reserved: 4, consumed: 4, released: 0, held: 0 }, null],
    [first, -2, { reserved: 3, consumed: 1, released: 1, held: 1 }, null],
    [null, 100, null, 100],
  ]);
  expect(lines.reduce((sum, one) => sum + one.sms, 0)).toBe((await owner.ok('balance.read', {})).sms);
  const filtered = (filter: object) => owner.ok('balance.ledger', { byOrder: true, ...filter });
  expect((await filtered({ orderId: first })).rows).toHaveLength(1);
  expect((await filtered({ kind: 'consume' })).rows.every(one => one.kind === 'consume' && !one.order)).toBe(true);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect((await filtered({ from: tomorrow })).rows).toEqual([]);
});

test('reusing the recipients of an order leaves out who may not be written to', async () => {
  const { owner, id } = await sentToFour();
  await settle(owner, id, [arrived, failed, [112, 12]]);
  const { numbers } = await owner.ok('orders.reuse', { id, which: 'undelivered' });
  expect(numbers.sort()).toEqual(['+905050000003', '+905420000002']);
  expect((await owner.ok('orders.reuse', { id, which: 'all' })).numbers).toHaveLength(4);
});

test('submits over SMPP that 0.2.0 stored as one order are found by the id of each: the order whole, the number, and the id beside the message', async () => {
  const owner = await panel.owner();
  const account = (await findAccount(pool, owner.accountId))!;
  const queue = new AcceptQueue(pool, 3_600_000);
  const draft: OrderDraft = {
    ...{ sender: 'APITEST', sendAt: null, consentCheck: false, consentList: null, source: 'smpp' },
    texts: [{ text: 'Birlikte', recipients: Array.from({ length: 20 }, (_, i) => `9055500007${10 + i}`) }],
  };
  const id = await acceptOrder(queue, account, draft, null, new Date());
  await pool.query(`update orders set smpp = '{"u":1,"r":1,"each":true}' where id = $1`, [id]);
  const asked = id + 3;
  const read = await owner.ok('orders.read', { id: asked });
  expect(read).toMatchObject({ id, total: 20, textList: [{ text: 'Birlikte' }], ledger: [{ reserved: 20 }] });
  const { hits } = await owner.ok('search', { text: String(asked) });
  expect(hits).toMatchObject([
    { kind: 'order', id },
    { kind: 'number', digits: '905550000713' },
  ]);
  const { rows } = await owner.ok('orders.recipients', { id: asked });
  const { messageId } = rows.find(one => one.number.replace(/\D/g, '').endsWith('713'))!;
  const { technical } = await owner.ok('orders.message', { orderId: id, messageId });
  expect(technical.smppIds).toEqual([String(asked)]);
  const { body } = await owner.get(`/panel/api/export/recipients?id=${id}`);
  const [titles, ...lines] = body.trim().split('\r\n');
  expect(titles).toContain('SMPP yanıtındaki mesaj no');
  expect(lines).toHaveLength(20);
  expect(lines.filter(line => line.startsWith('0555 000 07 13'))).toEqual([expect.stringContaining(String(asked))]);
});

test('an order is copied as the API call that would create it again, with every member of the request but those named', async () => {
  const { owner, id } = await sentToFour();
  const order = await owner.ok('orders.read', { id });
  const message = { text: 'Merhaba', receipents: { number: ['5XXXXXXXXX'] } };
  expect(order.asRequest).toEqual({ sender: 'APITEST', message });
  // A new member of the request is shown on the order's page under the same name, or named as one that is not copied.
  const members = Object.keys(sendSmsRequest.properties.order.properties);
  const filled = Object.fromEntries(Object.entries(order).map(([name, value]) => [name, value ?? 'x']));
  const full = asRequest({ ...order, ...filled, commercial: 'BIREYSEL' });
  expect([...Object.keys(full), ...notCopied].sort()).toEqual(members.sort());
});
