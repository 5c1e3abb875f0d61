// One bind of a carrier against a scripted peer: window, loss, slot, stop.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptedCarrier } from '../../../test/support/carriers/scripted-carrier.ts';
import { ownLocks } from '../../../test/support/database/own-locks.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { carriersWithPasswords } from '../../carriers/carriers.ts';
import { silentLog } from '../../log.ts';
import { submitTemplate } from '../../smpp/submit-body.ts';
import { type DispatchBench, dispatchBench, secretKey } from '../dispatch-fixture.ts';
import { CarrierLink } from './carrier-link.ts';
import { SlotLocks } from './slot-locks.ts';

let bench: DispatchBench;
let carrier: ScriptedCarrier;
let locks: SlotLocks;
let others: SlotLocks;
let link: CarrierLink<number>;
let answers: [number, string][];
let lost: number[];

const body = submitTemplate({ sourceAddrTon: 5, sourceAddr: 'PEYK', shortMessage: Buffer.from('Merhaba') }).encode(
  '905550000000',
);

beforeEach(async () => {
  bench = await dispatchBench({ own: true });
  carrier = await bench.scripted('scripted', { window: '5' });
  [locks, others] = [lockSession(), lockSession()];
  answers = [];
  lost = [];
  const [facts] = await carriersWithPasswords(bench.db, secretKey);
  const events = {
    onAccepted: (_link: unknown, token: number, id: string) => void answers.push([token, id]),
    onRefused: (_link: unknown, token: number, _verdict: unknown, words: string) => void answers.push([token, words]),
    onLateAccepted() {},
    onLost: (_link: unknown, token: number) => void lost.push(token),
    onRoom() {},
    onRequest() {},
    onState() {},
    onTrouble() {},
    mayWrite: () => true,
  };
  link = new CarrierLink(facts!, 0, { events, locks, log: silentLog });
});
afterEach(async () => {
  const stopped = link.stop();
  // The stop must not wait for answers that never come.
  carrier.drop();
  await stopped;
  await Promise.all([locks.stop(), others.stop()]);
  await bench.close();
});

const lockSession = () => new SlotLocks(bench.database.connection, silentLog);
const bound = () => wait('the bind', () => link.bound);
const ignore = () => {};

async function submit(...tokens: number[]): Promise<void> {
  for (const token of tokens) expect(link.submit(body, token)).toBe(true);
  await wait('them to arrive', () => carrier.submits.length === tokens.length);
}

test('the link accepts a full window and no more; answers come with their token and make room', async () => {
  link.start();
  await bound();
  expect(link.room(100)).toBe(5);
  await submit(1, 2, 3, 4, 5);
  expect(link.room(100)).toBe(0);
  expect(link.submit(body, 6)).toBe(false);
  carrier.answer(carrier.submits[2]!, 'id-3');
  carrier.answer(carrier.submits[0]!, '', 0x14);
  await wait('the answers', () => answers.length === 2);
  expect(answers).toEqual([
    [3, 'id-3'],
    [1, 'submit refused: ESME_RMSGQFUL'],
  ]);
  expect(link.room(100)).toBe(2);
  expect(link.windowUsed).toBe(3);
});

test('when the connection is lost every unanswered submit is reported once, and the link binds again', async () => {
  link.start();
  await bound();
  await submit(1, 2, 3);
  carrier.answer(carrier.submits[1]!, 'id-2');
  await wait('the answer', () => answers.length === 1);
  carrier.drop();
  await wait('the loss', () => lost.length === 2);
  expect(lost).toEqual([1, 3]);
  expect(link.room(100)).toBe(0);
  await bound();
  expect(carrier.binds).toHaveLength(2);
  expect(lost).toEqual([1, 3]);
});

test('a link does not bind while another process has its slot, and binds when the slot is free', async () => {
  expect(await others.take(link.carrier.id, 0, ignore)).toBe(true);
  link.start();
  await wait('it to wait', () => link.state === 'waiting for slot');
  expect(carrier.binds).toEqual([]);
  await others.give(link.carrier.id, 0);
  await bound();
});

test('a link that loses its slot while it binds drops the bind, so there is never one too many', async () => {
  carrier.holdBinds = true;
  link.start();
  await wait('it to connect', () => link.state === 'connecting');
  // Lost slots are reported in the order they were taken: this one after the slot of the link.
  let isSlotLost = false;
  const elsewhere = link.carrier.id + 1;
  await locks.take(elsewhere, 0, () => {
    isSlotLost = true;
  });
  await bench.db.query(`select pg_terminate_backend(pid) from ${ownLocks} where classid = 7031 and objid = $1`, [
    elsewhere * 100,
  ]);
  await wait('the others to take both', async () => {
    const both = [await others.take(link.carrier.id, 0, ignore), await others.take(elsewhere, 0, ignore)];
    return both.every(Boolean);
  });
  await wait('the loss of the slot', () => isSlotLost);
  carrier.releaseBinds();
  await wait('it to wait for a slot', () => link.state === 'waiting for slot');
  await wait('the bind to be gone', () => carrier.open.length === 0);
});

test('a clean stop waits for answers, unbinds and frees the slot', async () => {
  link.start();
  await bound();
  await submit(1, 2);
  const stopped = link.stop();
  expect(link.room(100)).toBe(0);
  expect(await others.take(link.carrier.id, 0, ignore)).toBe(false);
  carrier.answer(carrier.submits[0]!, 'id-1');
  carrier.answer(carrier.submits[1]!, 'id-2');
  await stopped;
  expect(answers.map(([token]) => token)).toEqual([1, 2]);
  expect(lost).toEqual([]);
  expect(await others.take(link.carrier.id, 0, ignore)).toBe(true);
  await wait('the connection to close', () => carrier.open.length === 0);
});
