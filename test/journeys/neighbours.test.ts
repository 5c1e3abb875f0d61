// One account's actions delay neither another's messages nor its receipts: shown by counts and by the order of submits at the
// carrier.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecretKey } from '../../src/sealing/secrets.ts';
import { createSmppUser } from '../../src/smpp-server/users.ts';
import { ScriptedCarrier } from '../support/carriers/scripted-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { SmppCustomer } from '../support/customers/smpp-customer.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let carrier: ScriptedCarrier;

beforeAll(async () => {
  carrier = await new ScriptedCarrier().start();
  carrier.onSubmit = submit => {
    const id = `komsu-${carrier.submits.length}`;
    carrier.answer(submit, id);
    carrier.receipt(submit, id).catch(() => {});
  };
  program = await startProgram({ env: { PEYK_SIMULATORS: '', PEYK_SMPP_PORT: '0' } });
  const address = ['--host', '127.0.0.1', '--port', String(carrier.port), '--system-id', 'peyk', '--password', 'peyk'];
  await program.cli('carrier', 'add', '--name', 'scripted', ...address);
  await wait('the bind', () => carrier.open.length > 0);
});

afterAll(async () => {
  await program?.remove();
  await carrier?.stop();
});

test('orders that arrive together with refused ones of an account without credit are stored at the first try', async () => {
  const db = await program.db();
  const rich = await program.account({ credits: 10_000, senders: ['PEYK'], set: { rate: '10000' } });
  const poor = await program.account({ senders: ['PEYK'] });
  await exhaust(poor);
  const rolledBack = async () => {
    await db.query('select pg_stat_force_next_flush()');
    const { rows } = await db.query(
      'select xact_rollback::int as n from pg_stat_database where datname = current_database()',
    );
    return rows[0].n as number;
  };
  const pairs = 400;
  const before = await rolledBack();
  const sent = plainNumbers(pairs, 40);
  const send = (customer: Customer, i: number) => customer.trySend(`Kod ${i}`, [sent[i]!], { sender: 'PEYK' });
  const codes = await Promise.all(sent.flatMap((_, i) => [send(rich, i), send(poor, i)]));
  expect(codes.filter((_, i) => i % 2 === 0).map(one => one.code)).toEqual(Array(pairs).fill(200));
  expect(codes.filter((_, i) => i % 2 === 1).map(one => one.code)).toEqual(Array(pairs).fill(402));
  const stored = await db.query('select count(*)::int as n from orders where account_id = $1', [rich.id]);
  expect(stored.rows[0].n).toBe(pairs);
  // Background transactions roll back occasionally; a batch with a refused order in it would do so by tens.
  expect((await rolledBack()) - before).toBeLessThan(5);
});

test('a bind that acknowledges no receipt delays no receipt of another account', async () => {
  const [slow, quick] = await Promise.all([0, 1].map(() => program.account({ credits: 5_000, senders: ['PEYK'] })));
  const key = loadSecretKey(program.data, program.env['PEYK_SECRET_KEY'] ?? '');
  const port = Number(program.ready.smpp!.split(':').at(-1));
  const bound = async (account: Customer) => {
    const settings = { addresses: ['127.0.0.1'], receiptWindow: 10 };
    return SmppCustomer.bind(port, await createSmppUser(await program.db(), key, Number(account.id), settings));
  };
  const [deaf, well] = await Promise.all([bound(slow!), bound(quick!)]);
  deaf.answer = 'silent';
  const all = plainNumbers(200, 70);
  await Promise.all(all.slice(0, 100).map(number => deaf.submit(`90${number}`, 'x')));
  await wait('its window to be full', () => deaf.received.length === 10);
  await Promise.all(all.slice(100).map(number => well.submit(`90${number}`, 'x')));
  await wait('all receipts of the other', () => well.received.length === 100);
  expect(deaf.received).toHaveLength(10);
  for (const one of [deaf, well]) one.destroy();
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

/** Spends the welcome credit. */
async function exhaust(customer: Customer): Promise<void> {
  await program.cli('credit', 'grant', customer.id, String(-(await customer.balance())));
}
