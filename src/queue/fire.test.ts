// Schedules: they fire once, at their time, and the race with a cancel has one winner.
import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  brandCode,
  consentEntry,
  freshText,
  number,
  numbers,
  order,
  sendDateTime,
  sender,
  shown,
} from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { silentLog } from '../log.ts';
import { Refusal } from '../status.ts';
import { nowMs, setClock } from '../time/clock.ts';
import { fireDue, fireOrder } from './fire.ts';
import { rescheduleOrder } from './reschedule.ts';

const app = await testApp({ own: true });
afterAll(() => app.close());
const account = await app.open({ senders: [sender], brands: [brandCode], sms: 10_000 });
const hourMs = 3_600_000;
const later = { sendDateTime: sendDateTime(hourMs) };

const stateOf = async (id: string) =>
  (await app.db.query('select state from orders where id = $1', [id])).rows[0].state;
const chunksOf = async (id: string) =>
  (
    await app.db.query(
      `select c.count, c.lane from chunks c join orders o on c.account_id = o.account_id and c.first_message_id >= o.first_message_id and c.first_message_id < o.first_message_id + o.total where o.id = $1 order by c.first_message_id`,
      [id],
    )
  ).rows;
const fire = (id: string, lane = 0, rate = 100) =>
  fireOrder(app.db, { id: Number(id), accountId: account.id, lane, rate }, hourMs);

test('a schedule fires when its time has come, not before, and its messages become chunks', async () => {
  const id = await account.send(order(later, freshText(), numbers(3)));
  await fireDue(app.db, silentLog, hourMs);
  expect([await stateOf(id), await chunksOf(id)]).toEqual(['scheduled', []]);
  const start = nowMs();
  const restore = setClock(() => start + hourMs + 60_000);
  await fireDue(app.db, silentLog, hourMs);
  restore();
  expect(await stateOf(id)).toBe('sending');
  expect(await chunksOf(id)).toEqual([{ count: 3, lane: 0 }]);
});

test('the schedule of a suspended account waits until it is active again', async () => {
  const other = await app.open({ senders: [sender] });
  const id = await other.send(order(later));
  await app.db.query("update accounts set status = 'suspended' where id = $1", [other.id]);
  const start = nowMs();
  const restore = setClock(() => start + 2 * hourMs);
  const activeOrder = await account.send(order({ sendDateTime: sendDateTime(60_000) }));
  restore();
  const further = setClock(() => start + 3 * hourMs);
  await fireDue(app.db, silentLog, hourMs);
  expect([await stateOf(activeOrder), await stateOf(id)]).toEqual(['sending', 'scheduled']);
  await app.db.query("update accounts set status = 'active' where id = $1", [other.id]);
  await fireDue(app.db, silentLog, hourMs);
  further();
  expect(await stateOf(id)).toBe('sending');
});

test('schedules that cannot be fired, however many, do not hold up those behind them', async () => {
  const broken = await app.open({ senders: [sender] });
  for (let i = 0; i < 45; i++) await broken.send(order({ sendDateTime: sendDateTime(60_000) }, freshText()));
  const behind = await account.send(order({ sendDateTime: sendDateTime(120_000) }, freshText()));
  await app.db.query(`
    create function break_fire() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger break_fire before update on orders for each row when (old.account_id = ${broken.id}) execute function break_fire()`);
  onTestFinished(() => app.db.query('drop function break_fire cascade').then(() => undefined));
  const start = nowMs();
  const restore = setClock(() => start + 10 * 60_000);
  onTestFinished(restore);
  await fireDue(app.db, silentLog, hourMs);
  expect(await stateOf(behind)).toBe('sending');
});

test('who was blacklisted or withdrew consent since acceptance falls out and costs nothing', async () => {
  const list = [1, 2, 3].map(i => consentEntry({ recipient: shown(i) }));
  await account.call('iys-register', { consent: { brandCode, list } });
  const members = order({ ...later, iys: '1', iysList: 'BIREYSEL' }, freshText(), numbers(3, 1));
  const id = await account.send(members);
  await account.call('add-blacklist', { blacklist: { number: number(1) } });
  await account.call('iys-register', {
    consent: { brandCode, list: [consentEntry({ recipient: shown(2), status: 'RET' })] },
  });
  expect(await fire(id, 1)).toBe(true);
  const report = (await account.call('get-report', { order: { id } })).response.order!;
  expect(report.message.map(one => one.status)).toEqual([112, 112, 110]);
  expect(report).toMatchObject({ undelivered: 2, waiting: 1, price: 1 });
  await account.call('delete-blacklist', { blacklist: { number: number(1) } });
});

test('a schedule of which nobody is left has failed as a whole, without a chunk', async () => {
  const id = await account.send(order(later));
  await account.call('add-blacklist', { blacklist: { number: number() } });
  expect(await fire(id)).toBe(true);
  await account.call('delete-blacklist', { blacklist: { number: number() } });
  expect([await stateOf(id), await chunksOf(id)]).toEqual(['failed', []]);
});

test('a schedule fires once, however many try', async () => {
  const id = await account.send(order(later, freshText(), numbers(5)));
  const fired = await Promise.all(Array.from({ length: 8 }, () => fire(id)));
  expect(fired.filter(Boolean)).toHaveLength(1);
  expect(await chunksOf(id)).toEqual([{ count: 5, lane: 0 }]);
});

test('between cancel and fire there is one winner, and the data is that of the winner', async () => {
  for (let i = 0; i < 20; i++) {
    const id = await account.send(order(later, freshText(), numbers(20)));
    const [cancelled, fired] = await Promise.all([account.call('cancel-order', { order: { id } }), fire(id)]);
    expect(cancelled.code).toBe(fired ? 455 : 200);
    expect(await stateOf(id)).toBe(fired ? 'sending' : 'cancelled');
    expect(await chunksOf(id)).toHaveLength(fired ? 1 : 0);
  }
});

test('an order that was given another time does not fire at the old one, and fires at the new', async () => {
  const id = await account.send(order(later));
  const start = nowMs();
  await rescheduleOrder(app.db, account.id, Number(id), new Date(start + 3 * hourMs));
  const facts = { id: Number(id), accountId: account.id, lane: 0, rate: 100 };
  expect(await fireOrder(app.db, facts, hourMs, new Date(start + 2 * hourMs))).toBe(false);
  expect(await fireOrder(app.db, facts, hourMs, new Date(start + 3 * hourMs))).toBe(true);
  await expect(rescheduleOrder(app.db, account.id, Number(id), new Date(start))).rejects.toThrow(Refusal);
});

test('chunks of the paced lane hold a quarter of a second’s worth, those of campaigns 500', async () => {
  await account.call('iys-register', {
    consent: { brandCode, list: numbers(1_200, 100).map(one => consentEntry({ recipient: one })) },
  });
  const sizes = async (id: string) => (await chunksOf(id)).map(one => one.count);
  const paced = await account.send(order(later, freshText(), numbers(250, 100)));
  await fire(paced, 0, 100);
  expect(await sizes(paced)).toEqual(Array.from({ length: 10 }, () => 25));
  const campaign = await account.send(
    order({ ...later, iys: 1, iysList: 'BIREYSEL' }, freshText(), numbers(1_200, 100)),
  );
  await fire(campaign, 1, 100);
  expect(await sizes(campaign)).toEqual([500, 500, 200]);
});

test('nothing of all this broke an invariant', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});
