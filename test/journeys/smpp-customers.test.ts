// SMPP customers against the whole program: from a submit over a carrier to the receipt, webhooks and ledger as over HTTP, and
// the process with the binds killed with thousands of pending receipts.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { loadSecretKey } from '../../src/sealing/secrets.ts';
import { smppBacklogs } from '../../src/smpp-server/binds.ts';
import { createSmppUser } from '../../src/smpp-server/users.ts';
import { fuzz, loginOf, ProgramHealth } from '../support/customers/fuzz.ts';
import { receiptText, SmppCustomer } from '../support/customers/smpp-customer.ts';
import { type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let account: Awaited<ReturnType<Program['account']>>;
let port: number;
let login: { systemId: string; password: string };

beforeAll(async () => {
  program = await startProgram({ env: { PEYK_SMPP_PORT: '0', PEYK_UNSURE_HOLD_SECONDS: '2' } });
  port = Number(program.ready.smpp!.split(':').at(-1));
  account = await program.account({ credits: 10_000, senders: ['PEYK'], set: { rate: '100000' } });
  const key = loadSecretKey(program.data, program.env['PEYK_SECRET_KEY'] ?? '');
  const settings = { addresses: ['127.0.0.1'], binds: 3, receiptWindow: 20 };
  login = await createSmppUser(await program.db(), key, Number(account.id), settings);
});

const bound: SmppCustomer[] = [];
const bind = async (...args: Parameters<typeof SmppCustomer.bind>) => {
  const customer = await SmppCustomer.bind(...args);
  bound.push(customer);
  return customer;
};
afterEach(() => {
  for (const one of bound.splice(0)) one.destroy();
});

const number = (n: number) => `90555100${String(n).padStart(4, '0')}`;

test('texts of every kind arrive on phones as they were submitted, and their fates come back', async () => {
  const customer = await bind(port, login);
  const long = 'Uzun bir mesaj, iki parça. '.repeat(8).trim();
  const ids = [
    await customer.submit(number(1), 'Merhaba'),
    await customer.submit(number(2), 'Çığ öğüş 🙂', { data_coding: 8 }),
    await customer.submit(number(3), '', { message_payload: long }),
    await customer.submit('905551009001', 'kapalı'),
  ].map(one => one.message_id!);
  await wait('four receipts', () => customer.received.length === 4);
  const states = new Map(
    customer.received.map(one => [one.receipted_message_id!, /stat:(\w+)/.exec(receiptText(one))![1]]),
  );
  expect(ids.map(id => states.get(id))).toEqual(['DELIVRD', 'DELIVRD', 'DELIVRD', 'UNDELIV']);
  const shown = async (n: number) =>
    (await program.carrier.phone(number(n).slice(2))).map(one => one.text.replace(/ B186$/, ''));
  expect([await shown(1), await shown(2), await shown(3)]).toEqual([['Merhaba'], ['Çığ öğüş 🙂'], [long]]);
});

test('the smpp process killed with 2,500 pending receipts: after a rebind all come, copies no more than the window', async () => {
  const count = 2_500;
  const customer = await wait('a bind', () => bind(port, login, 'transmitter'));
  const ids: string[] = [];
  for (let from = 0; from < count; from += 100)
    ids.push(
      ...(await Promise.all(Array.from({ length: 100 }, (_, i) => customer.submit(number(1_000 + from + i), 'x')))).map(
        one => one.message_id!,
      ),
    );
  const waiting = async () => (await smppBacklogs(await program.db(), Number(account.id)))[0]!.waiting;
  await wait('all to be pending', async () => (await waiting()) === count);
  const first = await bind(port, login, 'receiver');
  await wait('some receipts', () => first.received.length >= 200);
  program.signal('smpp', 'SIGKILL');
  await wait('the end of the bind', () => first.closed);
  const second = await wait('a rebind', () => bind(port, login, 'receiver'));
  const all = () => [...first.received, ...second.received].map(one => one.receipted_message_id!);
  await wait('all receipts', () => new Set(all()).size === count);
  expect(new Set(all())).toEqual(new Set(ids));
  expect(all().length - count).toBeLessThanOrEqual(20);
  await wait('nothing to be pending', async () => (await waiting()) === 0);
  expect(await program.audit()).toMatchObject({ ok: true });
});

test('processes and sessions of the database killed in the middle of submits that are stored together: each that was answered is there once, under its id, with its number, and is reported', async () => {
  const db = await program.db();
  const answered = new Map<number, string>();
  const text = 'Hep birlikte';
  const kills = [
    () => program.signal('smpp', 'SIGKILL'),
    () =>
      db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'peyk smpp%' and state = 'active'`,
      ),
    () => program.signal('dispatch', 'SIGKILL'),
  ];
  let next = 4_000;
  const received: string[] = [];
  for (const kill of [null, ...kills, null]) {
    const customer = await wait('a bind', () => bind(port, login));
    const submits = Array.from({ length: 300 }, async () => {
      const to = number(next++);
      const { command_status: status, message_id: id } = await customer.submit(to, text);
      if (status === 0) answered.set(Number(id), to);
    });
    if (kill) {
      await wait('the first answers', () => answered.size > 0);
      await kill();
    }
    await Promise.allSettled(submits);
    received.push(...customer.received.map(one => one.receipted_message_id!));
    customer.destroy();
  }
  expect(answered.size).toBeGreaterThanOrEqual(600);
  const { rows: stored } = await db.query(
    `select o.id, m.number::text from orders o join messages m on m.order_id = o.id
     where o.account_id = $1 and o.text = $2`,
    [account.id, text],
  );
  const numberOf = new Map(stored.map(one => [Number(one.id), one.number]));
  expect(numberOf.size).toBe(stored.length);
  expect(new Set(numberOf.values()).size).toBe(stored.length);
  for (const [id, to] of answered) expect(numberOf.get(id)).toBe(to);
  const receiver = await wait('a bind', () => bind(port, login, 'receiver'));
  const confirmed = () => new Set([...received, ...receiver.received.map(one => one.receipted_message_id!)]);
  await wait('a receipt of each', () => [...answered.keys()].every(id => confirmed().has(String(id))));
  expect(await program.audit()).toMatchObject({ ok: true });
});

// For a minute, also at the registry's ports and from carriers: `npm run fuzz`.
test('a second of random bytes at every port ends no process, leaks no memory and causes no unexpected error', async () => {
  const seed = Date.now() % 1_000_000_000;
  const health = new ProgramHealth(program);
  const spoken = await fuzz(program, 1, seed, loginOf(login.systemId, login.password));
  expect(Object.keys(spoken)).toEqual(expect.arrayContaining(['http', 'smpp server', 'simulated carrier']));
  expect((await account.call('get-balance')).code).toBe(200);
  expect(health.complaints(), `seed ${seed}`).toEqual([]);
});
