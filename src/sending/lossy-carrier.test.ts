// A carrier that loses answers and receipts: which messages of a large order wait longest, and when they end.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptedCarrier, Submit } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import { audit } from '../audit/invariants.ts';
import { silentLog } from '../log.ts';
import { closeOverdue } from '../settle/close.ts';
import { setClock, takeBackClock } from '../time/clock.ts';
import { type DispatchBench, dispatchBench } from './dispatch-fixture.ts';

const total = 3_000;
const lostReceipts = 5;
/** Validity and grace of the orders of this bench. */
const closeAfterMs = 3_600_000;

let bench: DispatchBench;
beforeEach(async () => {
  bench = await dispatchBench();
});
afterEach(async () => {
  takeBackClock();
  await bench.close();
});

/** Repeats a receipt until it is acknowledged, as carriers do. */
async function reported(carrier: ScriptedCarrier, submit: Submit, id: string): Promise<void> {
  for (;;) {
    const bind = await wait('a bind', () => carrier.open[0], 30_000);
    const isTaken = await carrier.receipt(submit, id, { bind }).then(
      status => status === 0,
      () => false,
    );
    if (isTaken) return;
  }
}

test('of a large order over a lossy carrier only messages whose receipts were lost wait, and they end when validity and grace are over', async () => {
  const account = await bench.account();
  const carrier = await bench.scripted('lossy', { window: '100' });
  const unanswered = new Set<string>();
  carrier.onSubmit = submit => {
    const no = carrier.submits.length;
    // The link breaks twice, each time with accepted messages that got no answer.
    if (no % 1_000 > 990) {
      unanswered.add(submit.number);
      if (no % 1_000 === 999) carrier.drop();
      return;
    }
    carrier.answer(submit, `id-${no}`);
    if (no % (total / lostReceipts) !== 100) void reported(carrier, submit, `id-${no}`);
  };
  const dispatcher = await bench.dispatcher();
  const numbers = Array.from({ length: total }, (_, i) => 905_550_000_000 + i);
  const order = await bench.accept(account, 'Kampanya', numbers);
  const waiting = async () => (await bench.messages(order)).filter(one => one.status === 110);
  await wait('all others to end', async () => (await waiting()).length === lostReceipts, 60_000);
  expect(unanswered.size).toBeGreaterThan(10);
  const left = await waiting();
  const { rows: submitted } = await bench.db.query('select message_id from submits where message_id = any ($1)', [
    left.map(one => one.id),
  ]);
  expect(submitted).toHaveLength(lostReceipts);
  for (const one of left) expect(carrier.submits.filter(each => each.number === String(one.number))).toHaveLength(1);

  // What the panel shows as the time by which the order ends at the latest.
  const { rows } = await bench.db.query('select close_after, send_at from orders where id = $1', [order]);
  expect(rows[0].close_after.getTime() - rows[0].send_at.getTime()).toBe(closeAfterMs);
  await dispatcher.stop();
  const closing = closeOverdue(bench.db, silentLog, closeAfterMs);
  const { rows: newest } = await bench.db.query('select max(submitted_at) as at from submits');
  const at = (ms: number) => setClock(() => newest[0].at.getTime() + ms);
  at(closeAfterMs - 1_000);
  await closing();
  expect(await waiting()).toHaveLength(lostReceipts);
  at(closeAfterMs + 1_000);
  await closing();
  expect(await waiting()).toEqual([]);
  const ended = (await bench.messages(order)).filter(one => left.some(each => each.id === one.id));
  expect(ended.map(one => [one.status, one.reason])).toEqual(left.map(() => [112, 14]));
  expect((await bench.db.query('select state from orders where id = $1', [order])).rows).not.toEqual([
    { state: 'sending' },
  ]);
  expect(await audit(bench.db)).toEqual({ ok: true, findings: [] });
});
