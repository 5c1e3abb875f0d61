// Receipts at the wrong moment, against a carrier that the test controls: whatever the order of events, each message ends once,
// by the first report; only a message without any report is corrected later.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedCarrier, type Submit } from '../support/carriers/scripted-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let customer: Customer;
let carrier: ScriptedCarrier;
let sent = 0;

beforeAll(async () => {
  carrier = await new ScriptedCarrier().start();
  program = await startProgram({
    env: { PEYK_SIMULATORS: '', PEYK_LEASE_SECONDS: '2', PEYK_UNSURE_HOLD_SECONDS: '2' },
  });
  const address = ['--host', '127.0.0.1', '--port', String(carrier.port), '--system-id', 'peyk', '--password', 'peyk'];
  await program.cli('carrier', 'add', '--name', 'scripted', ...address, '--binds', '2');
  await wait('both binds', () => carrier.open.length === 2);
  customer = await program.account({ credits: 1_000 });
});

afterAll(() => carrier.stop());

/** An order to one phone, on the wire and not answered yet. */
async function submitted(): Promise<{ id: string; number: string; submit: Submit }> {
  const [number] = plainNumbers(1, ++sent);
  const id = await customer.send(`Makbuz ${sent}`, [number!]);
  return { id, number: number!, submit: await carrier.submitTo(number!) };
}

/** Waits until the carrier's answer is stored. */
async function stored(messageId: string): Promise<void> {
  const known = async () =>
    (await (await program.db()).query('select 1 from submits where smsc_id = $1', [messageId])).rowCount;
  await wait(`the answer ${messageId} to be stored`, async () => (await known()) === 1);
}

test('before the answer to its submit: acknowledged, kept, and counted when the id is known', async () => {
  const { id, submit } = await submitted();
  expect(await carrier.receipt(submit, 'early')).toBe(0);
  expect(await customer.report(id)).toMatchObject({ waiting: 1, delivered: 0 });
  carrier.answer(submit, 'early');
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
});

test('twice, and once more with the opposite: acknowledged each time, and nothing changes', async () => {
  const { id, submit } = await submitted();
  carrier.answer(submit, 'twice');
  await stored('twice');
  expect(await carrier.receipt(submit, 'twice')).toBe(0);
  expect((await customer.finished(id)).delivered).toBe(1);
  const balance = await customer.balance();
  expect(await carrier.receipt(submit, 'twice')).toBe(0);
  expect(await carrier.receipt(submit, 'twice', { stat: 'UNDELIV' })).toBe(0);
  expect(await customer.report(id)).toMatchObject({ delivered: 1, undelivered: 0 });
  expect(await customer.balance()).toBe(balance);
});

test('by another bind than the submit took', async () => {
  const { id, submit } = await submitted();
  carrier.answer(submit, 'other');
  const other = carrier.open.find(one => one !== submit.bind)!;
  expect(await carrier.receipt(submit, 'other', { bind: other })).toBe(0);
  expect((await customer.finished(id)).delivered).toBe(1);
});

test('in words that say nothing final, or in none: the message waits for the final one', async () => {
  const { id, submit } = await submitted();
  carrier.answer(submit, 'words');
  await stored('words');
  for (const stat of ['UNKNOWN', 'HMMM', 'DELIVRD2', ''])
    expect(await carrier.receipt(submit, 'words', { stat })).toBe(0);
  expect(await customer.report(id)).toMatchObject({ waiting: 1, undelivered: 0 });
  expect(await carrier.receipt(submit, 'words')).toBe(0);
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
});

test('late, after its message was closed: it was delivered after all, and is paid', async () => {
  const { id, submit } = await submitted();
  carrier.answer(submit, 'late');
  await stored('late');
  const db = await program.db();
  await db.query(`update submits set submitted_at = now() - interval '30 days' where smsc_id = 'late'`);
  await db.query(`update orders set close_after = now() - interval '1 second' where id = $1`, [id]);
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 0, undelivered: 1, price: 0 });
  const balance = await customer.balance();
  for (let times = 0; times < 2; times++) expect(await carrier.receipt(submit, 'late')).toBe(0);
  const corrected = await wait('the correction', async () => {
    const report = await customer.report(id);
    return report.delivered === 1 ? report : undefined;
  });
  expect(corrected).toMatchObject({ status: 114, delivered: 1, undelivered: 0, price: 1 });
  expect(await customer.balance()).toBe(balance - 1);
});

test('it is acknowledged only when it is stored, so a carrier keeps what we could lose', async () => {
  const { id, submit } = await submitted();
  carrier.answer(submit, 'slow');
  await stored('slow');
  const db = await program.db();
  const session = await db.connect();
  let acknowledged = false;
  await session.query('begin');
  await session.query('lock table receipt_inbox in access exclusive mode');
  const receipt = carrier.receipt(submit, 'slow').then(status => {
    acknowledged = true;
    return status;
  });
  try {
    await wait('it to wait for the database', async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%into receipt_inbox%'`;
      return (await db.query(waiting)).rowCount! > 0;
    });
    expect(acknowledged).toBe(false);
  } finally {
    await session.query('rollback');
    session.release();
  }
  expect(await receipt).toBe(0);
  expect((await customer.finished(id)).delivered).toBe(1);
});

test('after a restart: by a bind of the next dispatcher, and nothing is sent again', async () => {
  const { id, number, submit } = await submitted();
  carrier.answer(submit, 'restart');
  await stored('restart');
  program.signal('dispatch', 'SIGKILL');
  const next = await wait('the binds of the next one', () =>
    carrier.open.length === 2 && !carrier.open.includes(submit.bind) ? carrier.open[0] : undefined,
  );
  expect(await carrier.receipt(submit, 'restart', { bind: next })).toBe(0);
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
  expect(carrier.submitsTo(number)).toHaveLength(1);
});

test('for a submit whose answer died with its dispatcher: the receipt tells that it arrived, and it is not sent again', async () => {
  const { id, number, submit } = await submitted();
  program.signal('dispatch', 'SIGKILL');
  const next = await wait('the binds of the next one', () => {
    const open = carrier.open;
    return open.length === 2 && !open.includes(submit.bind) ? open[0] : undefined;
  });
  expect(await carrier.receipt(submit, 'orphan', { bind: next })).toBe(0);
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
  expect(carrier.submitsTo(number)).toHaveLength(1);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
