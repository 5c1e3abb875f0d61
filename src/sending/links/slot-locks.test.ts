// Slots (binds that a carrier grants) shared among processes: taken, given back, lost with the session, taken over from dead processes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lossyProxy } from '../../../test/support/database/lossy-proxy.ts';
import { ownLocks } from '../../../test/support/database/own-locks.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { silentLog } from '../../log.ts';
import { endSlotSession } from '../../queue/dispatcher-lease.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { SlotLocks } from './slot-locks.ts';

let bench: DispatchBench;

beforeAll(async () => {
  bench = await dispatchBench({ own: true });
});
afterAll(() => bench.close());

const locks = () => new SlotLocks(bench.database.connection, silentLog);
const never = () => {
  throw new Error('lost');
};

test('a slot is held by one process until it is given back, however often it was taken', async () => {
  const [one, other] = [locks(), locks()];
  expect(await one.take(1, 0, never)).toBe(true);
  expect(await one.take(1, 0, never)).toBe(true);
  expect(await other.take(1, 0, never)).toBe(false);
  expect(await other.take(1, 1, never)).toBe(true);
  await one.give(1, 0);
  expect(await other.take(1, 0, never)).toBe(true);
  await Promise.all([one.stop(), other.stop()]);
});

test('a process that ends gives all its slots back', async () => {
  const [one, other] = [locks(), locks()];
  await one.take(2, 0, never);
  await one.stop();
  await wait('the slot to be free', () => other.take(2, 0, never));
  await other.stop();
});

test('after a lost session the slots are taken again, unless another process was faster: then they are lost', async () => {
  const lost: string[] = [];
  const [one, other] = [locks(), locks()];
  await one.take(3, 0, () => void lost.push('3/0'));
  await one.take(3, 1, () => void lost.push('3/1'));
  await other.take(9, 0, never);
  await bench.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'peyk slots %' and pid in (select pid from ${ownLocks} where classid = 7031 and objid = 300)`);
  await wait('another to be faster', () => other.take(3, 1, never));
  await wait('the loss to be reported', () => lost.length > 0);
  expect(lost).toEqual(['3/1']);
  expect(await other.take(3, 0, never)).toBe(false);
  await Promise.all([one.stop(), other.stop()]);
});

test('the session of a dispatcher declared dead is ended, so its slots are free although it is only paused', async () => {
  const lost: string[] = [];
  const [paused, successor] = [locks(), locks()];
  paused.identify(4_711);
  await paused.take(5, 0, () => void lost.push('5/0'));
  expect(await successor.take(5, 0, never)).toBe(false);
  await endSlotSession(bench.db, 4_711);
  await wait('the successor to get it', () => successor.take(5, 0, never));
  await wait('the paused process to notice', () => lost.length === 1);
  await Promise.all([paused.stop(), successor.stop()]);
});

test('slots of a silent session are taken again, though the server still knows that session, and no link is lost', async () => {
  const proxy = await lossyProxy(bench.database.connection);
  const one = new SlotLocks(proxy.connection, silentLog);
  one.identify(4_712);
  expect(await one.take(6, 0, never)).toBe(true);
  const holder = async () =>
    (await bench.db.query(`select pid from ${ownLocks} where classid = 7031 and objid = 600`)).rows[0]?.pid as number;
  const before = await holder();
  proxy.fallSilent();
  // The question is given up with its session.
  expect(await one.take(6, 1, never)).toBe(false);
  expect(await holder()).toBe(before);
  proxy.speak();
  await wait('the slot to be held by another session', async () => ![before, undefined].includes(await holder()));
  expect(await one.take(6, 1, never)).toBe(true);
  await one.stop();
  await proxy.close();
});
