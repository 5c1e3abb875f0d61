// Who tries passwords is banned for the user it tries, and nobody else; what counts towards a user's rate; headers that are none.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmppCustomer } from '../../test/support/customers/smpp-customer.ts';
import { listRefusals } from '../accounts/refusals.ts';
import { encodePdu } from '../smpp/codec.ts';
import { TestServer } from './server-fixture.ts';

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

test('five wrong passwords ban an address for that user on all nodes, and nobody else behind the address', async () => {
  const own = await TestServer.open();
  const other = await own.beside();
  try {
    const user = await own.user();
    const neighbour = await own.user();
    const ports = [own.port, other.port, own.port, other.port, own.port];
    for (const port of ports) {
      await expect(bind(port, { ...user, password: 'yanlis12' })).rejects.toThrow('0xe');
      // A good bind of somebody else from there changes nothing.
      (await SmppCustomer.bind(port, neighbour)).destroy();
    }
    await expect(bind(own.port, user)).rejects.toThrow('0xd');
    await expect(bind(other.port, user)).rejects.toThrow('0xd');
    for (const one of [own, other]) await one.refusals.flush();
    const causes = (await listRefusals(own.db, user.accountId)).map(one => one.cause);
    expect(causes.filter(one => one === 'smpp-wrong-password')).toHaveLength(5);
    expect(causes.filter(one => one === 'smpp-banned')).toHaveLength(1);
    // Five minutes later it may try again.
    await own.db.query("update smpp_bans set banned_until = now() - interval '1 second'");
    const third = await own.beside();
    (await SmppCustomer.bind(third.port, user)).destroy();
    await third.close();
  } finally {
    await other.close();
    await own.close();
  }
});

test('of fifty passwords tried at once on two nodes five are looked at, and no password of another user’s counts', async () => {
  const own = await TestServer.open();
  const other = await own.beside();
  try {
    const user = await own.user({ binds: 50 });
    const tries = Array.from({ length: 50 }, (_, i) => ({ ...user, password: i < 40 ? `yanlis${i}` : user.password }));
    const results = await Promise.all(
      tries.map((login, i) =>
        bind([own.port, other.port][i % 2]!, login).then(
          () => 'in',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(results.filter(one => one === '0xe').length).toBe(5);
    const found = await own.db.query("select failures from smpp_bans where address <> ''");
    expect(found.rows).toEqual([{ failures: 5 }]);
  } finally {
    await other.close();
    await own.close();
  }
});

test('twenty wrong passwords from any addresses of its list ban the binds of a user, and tries from elsewhere count for nothing', async () => {
  const own = await TestServer.open(address => address === '127.0.0.1');
  try {
    const user = await own.user({ addresses: ['192.0.2.0/24'] });
    const from = (address: string, login: { systemId: string; password: string }) =>
      bindBehindProxy(own.port, address, login);
    for (let i = 0; i < 30; i++) expect(await from(`198.51.100.${i}`, { ...user, password: 'yanlis12' })).toBe(0xd);
    expect(await from('192.0.2.200', user)).toBe(0);
    for (let i = 0; i < 20; i++) expect(await from(`192.0.2.${i}`, { ...user, password: 'yanlis12' })).toBe(0xe);
    expect(await from('192.0.2.200', user)).toBe(0xd);
  } finally {
    await own.close();
  }
});

async function bindBehindProxy(port: number, address: string, login: { systemId: string; password: string }) {
  const socket = connect(port, '127.0.0.1');
  const fields = { systemId: login.systemId, password: login.password };
  const pdu = encodePdu({ command: 'bind_transmitter', sequence: 1, fields });
  socket.write(Buffer.concat([Buffer.from(`PROXY TCP4 ${address} 127.0.0.1 4000 2775\r\n`), pdu]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.readUInt32BE(8);
}

test('parts of a long message count towards the rate: the same part again needs a place of its own', async () => {
  const user = await server.user({ rate: 1 });
  const customer = await bind(server.port, user);
  const part = (n: number) => ({ sar_msg_ref_num: 5, sar_total_segments: 20, sar_segment_seqnum: (n % 19) + 1 });
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, i) => customer.submit(number(1), 'a', part(i))));
  const passed = statuses.filter(one => one.command_status === 0).length;
  expect(passed).toBeGreaterThanOrEqual(8);
  expect(passed).toBeLessThanOrEqual(27);
});

test.each([
  ['longer than the message', '0a0003010201'],
  ['an element longer than the header', '05000a010201'],
  ['a place beyond the number of parts', '050003010203'],
  ['a part of none', '050003010000'],
  ['a place of too few octets', '0400020102'],
])('a submit whose UDH is malformed is refused: %s', async (_, header) => {
  const user = await server.user();
  const customer = await bind(server.port, user);
  const udh = Buffer.from(header, 'hex');
  const answer = await customer.submit(
    number(1),
    { udh: undefined, message: Buffer.concat([udh, Buffer.from('abc')]) },
    { esm_class: 0x40 },
  );
  expect(answer.command_status).toBe(0x43);
  expect(await server.orders(user.accountId)).toEqual([]);
});
