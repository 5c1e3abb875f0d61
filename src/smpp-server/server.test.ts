// Customers over SMPP, played by the npm package: binds, submits to orders, receipts and messages from phones back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiptText, SmppCustomer } from '../../test/support/customers/smpp-customer.ts';
import { rowsRead } from '../../test/support/database/rows-read.ts';
import { wait } from '../../test/support/run/wait.ts';
import { listRefusals } from '../accounts/refusals.ts';
import { audit } from '../audit/invariants.ts';
import { kickSmppBinds, listSmppBinds } from './binds.ts';
import { digestOf } from './login.ts';
import { key, olderKey, TestServer } from './server-fixture.ts';
import { changeSmppUser, rotateSmppPassword } from './users.ts';

let server: TestServer;
const customers: SmppCustomer[] = [];
const bind = async (...args: Parameters<typeof SmppCustomer.bind>) => {
  const customer = await SmppCustomer.bind(...args);
  customers.push(customer);
  return customer;
};

beforeAll(async () => {
  server = await TestServer.open();
});
afterAll(async () => {
  for (const one of customers) one.destroy();
  await server.close();
});

const number = (n: number) => `90555${String(n).padStart(7, '0')}`;

test('a submit becomes an order like over HTTP, its id is answered, and the receipt carries id, state and references', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  const answer = await customer.submit(number(1), 'Merhaba', { user_message_reference: 77 });
  expect(answer).toMatchObject({ command: 'submit_sm_resp', command_status: 0 });
  expect(await server.orders(user.accountId)).toEqual([
    { id: Number(answer.message_id), text: 'Merhaba', parts: 1, total: 1, state: 'sending' },
  ]);
  expect(await server.balance(user.accountId)).toBe(99_999);
  await server.settle(user.accountId);
  const receipt = await wait('the receipt', () => customer.received[0]);
  expect(receipt).toMatchObject({
    ...{ esm_class: 4, source_addr: number(1), destination_addr: 'PEYK', user_message_reference: 77, message_state: 2 },
    receipted_message_id: answer.message_id,
  });
  expect(receiptText(receipt)).toMatch(
    new RegExp(`^id:${answer.message_id} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD err:000`),
  );
  // The same again is another order: duplicates are the customer's business here, unless asked for.
  expect((await customer.submit(number(1), 'Merhaba')).command_status).toBe(0);
  await changeSmppUser(server.db, user.accountId, user.systemId, { duplicates: true });
  const other = await bind(server.port, user);
  await other.submit(number(1), 'Bir kez');
  expect((await other.submit(number(1), 'Bir kez')).command_status).toBe(0x45);
  expect((await audit(server.db)).findings).toEqual([]);
});

test('pending receipts are stored and taken by the rows of their own orders, however many others there are', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  await Promise.all(Array.from({ length: 200 }, (_, i) => customer.submit(number(500 + i), 'Eski')));
  await server.settle(user.accountId);
  await wait('the receipts', () => customer.received.length === 200);
  await customer.submit(number(700), 'Yeni');
  customer.destroy();
  const open = await server.db.query('select id from messages where account_id = $1 and status = 110', [
    user.accountId,
  ]);
  const settle = `select settle('{${open.rows[0].id}}', '{111}', '{0}')`;
  const take = `select * from smpp_take(0, array(select id from smpp_users where account_id = ${user.accountId}), '{10}')`;
  for (const statement of [settle, take]) {
    const {
      orders,
      messages,
      smpp_outbox: outbox,
    } = await rowsRead(server.db, async tx => {
      expect((await tx.query(statement)).rowCount).toBe(1);
    });
    expect.soft(orders! + messages! + (outbox ?? 0), statement).toBeLessThan(20);
  }
});

test('a password kept under the key before binds, and is kept under the new one from then on', async () => {
  const { accountId, systemId, password } = await server.user();
  const set = 'update smpp_users set digest = $2 where account_id = $1';
  await server.db.query(set, [accountId, digestOf(olderKey, systemId, password)]);
  await expect(bind(server.port, { systemId, password: 'yanlis12' })).rejects.toThrow();
  await bind(server.port, { systemId, password });
  const { rows } = await server.db.query('select digest from smpp_users where account_id = $1', [accountId]);
  expect(rows[0].digest).toEqual(digestOf(key, systemId, password));
});

test('signs that mean something to an array of the database are stored as they were submitted', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  const texts = ['a "b" \\ {c,d}', 'a "b" \\ {c,d}', 'null', '\\"', ','];
  await Promise.all(texts.map((text, i) => customer.submit(number(30 + i), text, { data_coding: 8 })));
  expect((await server.orders(user.accountId)).map(one => one.text).sort()).toEqual([...texts].sort());
});

test('what is refused over HTTP is refused with the status of the table, and stores nothing', async () => {
  const user = await server.user({}, 3);
  const customer = await bind(server.port, user);
  const cases: [object, number][] = [
    [{ source_addr: 'BASKASI' }, 0x0a],
    [{ destination_addr: '12' }, 0x0b],
    [{ short_message: '' }, 0x01],
    [{ short_message: '', message_payload: 'a'.repeat(1_100) }, 0x01],
    [{ schedule_delivery_time: '991399000000000+' }, 0x61],
    [{ data_coding: 4, short_message: Buffer.from('x') }, 0x104],
    [{ sar_msg_ref_num: 1, sar_total_segments: 2, sar_segment_seqnum: 3 }, 0xc4],
  ];
  for (const [given, status] of cases)
    expect((await customer.submit(number(2), 'x', given)).command_status, JSON.stringify(given)).toBe(status);
  const long = await customer.submit(number(2), '', { message_payload: 'a'.repeat(500) });
  expect([long.command_status, (await customer.submit(number(2), 'x')).command_status]).toEqual([0x45, 0]);
  expect(long.additional_status_info_text).toContain('402 Bakiye yetersiz');
  expect((await server.orders(user.accountId)).length).toBe(1);
  await server.refusals.flush();
  expect((await listRefusals(server.db, user.accountId))[0]).toMatchObject({ code: 402, operation: 'submit_sm' });
});

test('parts by UDH, SAR and payload become one order at our price, with a receipt for each part', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  const text = 'Uzun mesaj '.repeat(20).trim();
  const halves = [text.slice(0, 110), text.slice(110)];
  const udh = (part: number) => ({ udh: Buffer.from([5, 0, 3, 9, 2, part + 1]), message: halves[part] });
  const sar = (part: number) => ({ sar_msg_ref_num: 400, sar_total_segments: 2, sar_segment_seqnum: part + 1 });
  // The second part comes first, over another bind.
  const other = await bind(server.port, user, 'transmitter');
  const first = await other.submit(number(3), udh(1), { esm_class: 0x40 });
  const repeated = await customer.submit(number(3), udh(1), { esm_class: 0x40 });
  expect(repeated.message_id).toBe(first.message_id);
  expect((await customer.ask('query_sm', { message_id: first.message_id })).command_status).toBe(0);
  expect(await server.orders(user.accountId)).toEqual([]);
  const second = await customer.submit(number(3), udh(0), { esm_class: 0x40 });
  const sarIds = [
    await customer.submit(number(4), halves[0]!, sar(0)),
    await customer.submit(number(4), halves[1]!, sar(1)),
  ];
  const payload = await customer.submit(number(5), '', { message_payload: text });
  const orders = await server.orders(user.accountId);
  expect(orders.map(one => [one.text, one.parts])).toEqual([
    [text, 2],
    [text, 2],
    [text, 2],
  ]);
  await server.settle(user.accountId);
  const ids = [first, second, ...sarIds, payload].map(one => one.message_id);
  await wait('five receipts', () => customer.received.length === 5);
  expect(customer.received.map(one => one.receipted_message_id).sort()).toEqual([...ids].sort());
  other.destroy();
});

test('parts that stay alone end after ten minutes with a failed receipt; a whole that is refused fails its other parts', async () => {
  const user = await server.user({}, 1);
  const customer = await bind(server.port, user);
  const part = (n: number, of: number, reference: number) => ({
    ...{ sar_msg_ref_num: reference, sar_total_segments: of, sar_segment_seqnum: n },
  });
  const alone = await customer.submit(number(6), 'yalnız', part(1, 2, 1));
  const dear = [1, 2].map(n => customer.submit(number(6), 'a'.repeat(150), part(n, 2, 2)));
  expect((await Promise.all(dear)).map(one => one.command_status)).toEqual([0, 0x45]);
  await server.db.query("update smpp_groups set changed_at = now() - interval '11 minutes' where state = 0");
  await server.acceptance.sweep({ info() {} } as never);
  await wait('two receipts', () => customer.received.length === 2);
  expect(
    customer.received.map(one => [one.receipted_message_id, /stat:\S+ err:\d+/.exec(receiptText(one))![0]]),
  ).toEqual(
    expect.arrayContaining([
      [alone.message_id, 'stat:UNDELIV err:100'],
      [(await dear[0]!).message_id, 'stat:REJECTD err:101'],
    ]),
  );
  expect(await server.orders(user.accountId)).toEqual([]);
});

test('a complete message whose process died before it was joined is joined once by another process', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  const part = (n: number) => ({ sar_msg_ref_num: 5, sar_total_segments: 2, sar_segment_seqnum: n });
  await customer.submit(number(7), 'bir ', part(1));
  await customer.submit(number(7), 'iki', part(2));
  const [order] = await server.orders(user.accountId);
  // As if the answer of the acceptance had been lost: the group does not know of its order.
  const lost =
    "update smpp_groups set state = 1, order_id = null, changed_at = now() - interval '1 minute' where order_id = $1";
  await server.db.query(lost, [order!.id]);
  await server.acceptance.sweep({ info() {} } as never);
  expect((await server.orders(user.accountId)).map(one => one.text)).toEqual(['bir iki']);
  const { rows } = await server.db.query('select state from smpp_groups where order_id = $1', [order!.id]);
  expect(rows).toEqual([{ state: 2 }]);
});

test('submit_multi is one order; numbers that cannot be are named in the answer, blacklisted ones by a receipt', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  await server.db.query("insert into blacklist_entries (account_id, number, source) values ($1, $2, 'api')", [
    user.accountId,
    number(9),
  ]);
  const to = (address: string) => ({ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: address });
  const answer = await customer.ask('submit_multi', {
    ...{ source_addr: 'PEYK', registered_delivery: 1, short_message: 'Duyuru' },
    dest_address: [to(number(8)), to(number(9)), to('99')],
  });
  expect(answer.command_status).toBe(0);
  expect(answer.unsuccess_sme).toMatchObject([{ destination_addr: '99', error_status_code: 0x0b }]);
  // A single message that ends in the same batch gets one receipt as well.
  const single = await customer.submit(number(10), 'Tek');
  await server.settle(user.accountId);
  const pending = 'select 1 from smpp_outbox where order_id = any ($1)';
  const orders = [answer.message_id, single.message_id];
  await wait('nothing pending', async () => (await server.db.query(pending, [orders])).rowCount === 0);
  expect(customer.received.map(one => [one.source_addr, one.receipted_message_id, one.message_state]).sort()).toEqual([
    [number(8), answer.message_id, 2],
    [number(9), answer.message_id, 8],
    [number(10), single.message_id, 2],
  ]);
});

test('a scheduled message is asked for and cancelled by its own user alone', async () => {
  const user = await server.user();
  const [customer, stranger] = [await bind(server.port, user), await bind(server.port, await server.user())];
  const { message_id } = await customer.submit(number(10), 'Yarın', { schedule_delivery_time: '000001000000000R' });
  expect(await server.orders(user.accountId)).toMatchObject([{ state: 'scheduled' }]);
  const sibling = await bind(server.port, await server.another(user.accountId));
  for (const one of [stranger, sibling]) {
    expect((await one.ask('query_sm', { message_id })).command_status).toBe(0x67);
    expect((await one.ask('cancel_sm', { message_id })).command_status).toBe(0x11);
  }
  expect(await customer.ask('query_sm', { message_id })).toMatchObject({ command_status: 0, message_state: 1 });
  expect((await customer.ask('cancel_sm', { message_id })).command_status).toBe(0);
  expect(await customer.ask('query_sm', { message_id })).toMatchObject({ message_state: 4 });
  expect((await customer.ask('cancel_sm', { message_id })).command_status).toBe(0x11);
  expect((await customer.ask('query_sm', { message_id: "1' or 1=1" })).command_status).toBe(0x67);
  await wait('a receipt of the cancelled one', () => customer.received.length === 1);
  expect(receiptText(customer.received[0]!)).toContain('stat:DELETED err:009');
  expect((await customer.ask('replace_sm', { message_id, short_message: 'x' })).command_status).toBe(0x13);
});

test('a bind needs user, password, address and a place; TLS stands beside plain; an old password works while it is kept', async () => {
  const user = await server.user({ binds: 2 });
  const secure = await bind(server.tlsPort, user, 'transceiver', true);
  expect((await secure.submit(number(20), 'TLS')).command_status).toBe(0);
  await bind(server.port, user);
  expect(await listSmppBinds(server.db, user.accountId)).toMatchObject([
    { secure: true },
    { secure: false, kind: 'transceiver' },
  ]);
  await expect(bind(server.port, user)).rejects.toThrow('0x5');
  secure.destroy();
  await wait('a free place', () => bind(server.port, user, 'receiver'));
  const elsewhere = await server.user({ addresses: ['192.0.2.0/24'] });
  await expect(bind(server.port, elsewhere)).rejects.toThrow('0xd');
  await expect(bind(server.port, await server.user({ addresses: [] }))).rejects.toThrow('0xd');
  await expect(bind(server.port, await server.user({ enabled: false }))).rejects.toThrow('0xd');
  await server.refusals.flush();
  expect(await listRefusals(server.db, elsewhere.accountId)).toMatchObject([
    { cause: 'smpp-address-not-listed', code: 401 },
  ]);
  const old = await server.user();
  const fresh = await rotateSmppPassword(server.db, Buffer.alloc(32, 7), old.accountId, old.systemId, 1);
  await bind(server.port, old);
  await bind(server.port, fresh);
});

test('of forty binds at once exactly as many succeed as there are places, and of submits at once as many as there is credit', async () => {
  const user = await server.user({ binds: 3, window: 200 }, 120);
  const tries = await Promise.allSettled(Array.from({ length: 40 }, () => bind(server.port, user)));
  const bound = tries.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  expect(bound).toHaveLength(3);
  for (const one of tries) if (one.status === 'rejected') expect(String(one.reason)).toContain('0x5');
  const submits = Array.from({ length: 150 }, (_, i) => bound[i % 3]!.submit(number(3_000 + i), 'Birlikte'));
  const statuses = (await Promise.all(submits)).map(one => one.command_status);
  expect(statuses.filter(one => one === 0)).toHaveLength(120);
  expect(await server.balance(user.accountId)).toBe(0);
  const stored = await server.orders(user.accountId);
  expect(stored.reduce((sum, one) => sum + one.total, 0)).toBe(120);
});

test('a bind that is kicked, or whose user is turned off, ends; kicked it may bind again', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  await kickSmppBinds(server.db, user.accountId, user.systemId, null);
  await wait('the end of the bind', () => customer.closed);
  const again = await wait('a new bind', () => bind(server.port, user));
  await changeSmppUser(server.db, user.accountId, user.systemId, { enabled: false });
  await wait('the end of the bind', () => again.closed);
  await wait('no bind left', async () => (await listSmppBinds(server.db, user.accountId)).length === 0);
});

test('at the rate limit a message of two parts is refused whole or not at all', async () => {
  const user = await server.user({ rate: 10 });
  const customer = await bind(server.port, user);
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const part = (n: number) => ({ sar_msg_ref_num: i, sar_total_segments: 2, sar_segment_seqnum: n });
      const both = [customer.submit(number(i), 'a', part(1)), customer.submit(number(i), 'b', part(2))];
      return (await Promise.all(both)).map(one => one.command_status);
    }),
  );
  expect(statuses.filter(([a, b]) => a !== b)).toEqual([]);
  const accepted = statuses.filter(([a]) => a === 0).length;
  expect(statuses.filter(([a]) => a === 0x58).length).toBe(60 - accepted);
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(60);
  expect((await server.orders(user.accountId)).length).toBe(accepted);
});
