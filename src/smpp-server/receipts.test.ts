// Receipts and messages from phones on their way to customers that bind with the npm package `smpp`.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SmppCustomer } from '../../test/support/customers/smpp-customer.ts';
import { wait } from '../../test/support/run/wait.ts';
import { smppBacklogs } from './binds.ts';
import { expireDeliveries } from './outbox.ts';
import { TestServer } from './server-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open();
});
afterAll(() => server.close());

const customers: SmppCustomer[] = [];
const bind = async (...args: Parameters<typeof SmppCustomer.bind>) => {
  const customer = await SmppCustomer.bind(...args);
  customers.push(customer);
  return customer;
};
afterEach(() => {
  for (const one of customers.splice(0)) one.destroy();
});

const number = (n: number) => `90555${String(n).padStart(7, '0')}`;

test('receipts wait for a rebind, are spread over all binds, and are tried again as their answers say', async () => {
  const user = await server.user({ receiptWindow: 3 });
  const sender = await bind(server.port, user, 'transmitter');
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => sender.submit(number(100 + i), 'a')));
  await server.settle(user.accountId);
  const pending = async () => (await smppBacklogs(server.db, user.accountId))[0]!.waiting;
  expect(await pending()).toBe(40);
  // A bind that does not answer gets no more than its window.
  const silent = await SmppCustomer.connect(server.port);
  silent.answer = 'silent';
  await silent.login(user, 'receiver');
  await wait('a window of receipts', () => silent.received.length === 3);
  expect(await pending()).toBe(40);
  silent.destroy();
  const receiver = await wait('a place', () => bind(server.port, user, 'receiver'));
  await wait('all receipts', () => receiver.received.length === 40);
  expect(new Set(receiver.received.map(one => one.receipted_message_id))).toEqual(
    new Set(answers.map(one => one.message_id)),
  );
  await wait('nothing pending', async () => (await pending()) === 0);
  // 0x58: later again; 0x0B: never again.
  receiver.answer = 0x58;
  await sender.submit(number(150), 'b');
  await server.settle(user.accountId);
  await wait('a first try', () => receiver.received.length === 41);
  receiver.answer = 0x0b;
  await wait('a second try', () => receiver.received.length === 42);
  await wait('nothing pending', async () => (await pending()) === 0);
});

test('receipts that are put off by their answer are tried again alone, and each is deleted once it is accepted', async () => {
  const user = await server.user({ receiptWindow: 10 });
  const sender = await bind(server.port, user, 'transmitter');
  await Promise.all(Array.from({ length: 30 }, (_, i) => sender.submit(number(2_100 + i), 'a')));
  await server.settle(user.accountId);
  const left = async () => (await smppBacklogs(server.db, user.accountId))[0]!.waiting;
  const receiver = await SmppCustomer.connect(server.port);
  receiver.answer = 0x58;
  await receiver.login(user, 'receiver');
  await wait('a try of each', () => new Set(receiver.received.map(one => one.receipted_message_id)).size === 30);
  expect(await left()).toBe(30);
  receiver.answer = 0;
  await wait('nothing pending', async () => (await left()) === 0);
  receiver.destroy();
});

test('receipts nobody comes for end after 72 hours and are counted', async () => {
  const user = await server.user();
  const sender = await bind(server.port, user, 'transmitter');
  await Promise.all(Array.from({ length: 5 }, (_, i) => sender.submit(number(2_200 + i), 'a')));
  await server.settle(user.accountId);
  const old = `update smpp_outbox o set created_at = now() - interval '73 hours' from smpp_users u
    where u.account_id = $1 and o.user_id = u.id`;
  expect((await server.db.query(old, [user.accountId])).rowCount).toBe(5);
  await expireDeliveries(server.db);
  expect((await smppBacklogs(server.db, user.accountId))[0]!.waiting).toBe(0);
  const { rows } = await server.db.query('select expired from smpp_users where account_id = $1', [user.accountId]);
  expect(rows).toEqual([{ expired: 5 }]);
});

test('messages from phones reach every user that wants them, long and with any letters', async () => {
  const user = await server.user();
  const customer = await bind(server.port, user, 'receiver');
  const deaf = await server.another(user.accountId, { inbound: false });
  const { receiveInbound } = await import('../inbound/receive.ts');
  await server.db.query("insert into inbound_numbers (account_id, number) values ($1, '7889')", [user.accountId]);
  const texts = ['KOD 1', 'Şifre ğ 🙂', 'uzun '.repeat(60)];
  for (const text of texts) {
    const octets = Buffer.from(text, 'utf16le').swap16();
    const fields = {
      sourceAddr: number(1),
      destinationAddr: '7889',
      dataCoding: 8,
      esmClass: 0,
      shortMessage: Buffer.alloc(0),
    };
    const pdu = { command: 'deliver_sm', fields, tlvs: [{ tag: 0x0424, value: octets }] };
    await receiveInbound(server.db, 1, pdu as never);
  }
  await wait('three messages', () => customer.received.length === 3);
  const shown = (pdu: (typeof customer.received)[number]) =>
    String((pdu.message_payload ?? pdu.short_message)!.message);
  expect(customer.received.map(shown)).toEqual(expect.arrayContaining(texts));
  expect(customer.received[0]).toMatchObject({ source_addr: number(1), destination_addr: '7889', esm_class: 0 });
  expect((await smppBacklogs(server.db, user.accountId)).find(one => one.systemId === deaf.systemId)!.waiting).toBe(0);
});
