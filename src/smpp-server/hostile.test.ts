// Strangers and customers that mean no good: octets that are no PDU, connections that never bind, answers to nothing, more submits
// than the window, a peer that reads nothing.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmppCustomer } from '../../test/support/customers/smpp-customer.ts';
import { wait } from '../../test/support/run/wait.ts';
import { encodePdu } from '../smpp/codec.ts';
import { TestServer, type TestUser } from './server-fixture.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await TestServer.open();
  user = await server.user({ binds: 5, window: 10 });
});
afterAll(() => server.close());

type Opened = Socket & { gone?: boolean };

const opened = (port = server.port): Promise<Opened> =>
  new Promise(resolve => {
    const socket: Opened = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    socket.on('close', () => {
      socket.gone = true;
      resolve(socket);
    });
    socket.resume();
  });
const bindPdu = () =>
  encodePdu({ command: 'bind_transceiver', sequence: 1, fields: { systemId: user.systemId, password: user.password } });
const submitPdu = (sequence: number, more: object = {}) =>
  encodePdu({
    command: 'submit_sm',
    sequence,
    fields: {
      sourceAddr: 'PEYK',
      destinationAddr: '905550000000',
      shortMessage: Buffer.from(`n ${sequence}`),
      ...more,
    },
  });

test('a thousand connections that never bind are held by fifty of an address, and customers bind meanwhile from theirs', async () => {
  const sockets = await Promise.all(Array.from({ length: 1_000 }, () => opened()));
  await wait('most of them closed', () => sockets.filter(one => one.gone).length >= 950);
  // Not by the time that each has for its bind: that closes the fifty too.
  expect(sockets.filter(one => one.gone)).toHaveLength(950);
  for (const one of sockets) one.destroy();
  const customer = await wait('a bind', () => SmppCustomer.bind(server.port, user));
  customer.destroy();
});

test('the addresses of an IPv6 /64 hold fifty places together, and those of another one have their own', async () => {
  const behindBalancer = await TestServer.open(() => true);
  const from = async (address: string) => {
    const socket = await opened(behindBalancer.port);
    socket.write(`PROXY TCP6 ${address} 2001:db8::1 40000 2775\r\n`);
    return socket;
  };
  const sockets = await Promise.all(
    Array.from({ length: 60 }, (_, i) => from(`2001:db8:0:1:${i.toString(16)}::${i.toString(16)}`)),
  );
  const other = await from('2001:db8:0:2::1');
  await wait('ten of them closed', () => sockets.filter(one => one.gone).length >= 10);
  expect(sockets.filter(one => one.gone)).toHaveLength(10);
  expect(other.gone).toBeUndefined();
  for (const one of [...sockets, other]) one.destroy();
  await behindBalancer.close();
});

test('with any octets before and after a bind the server keeps running and serves other customers', async () => {
  const customer = await SmppCustomer.bind(server.port, user);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 60; round++) {
    const socket = await opened();
    if (round % 2) socket.write(bindPdu());
    const pdu = Buffer.from(submitPdu(2, { esmClass: random(256), dataCoding: random(256) }));
    for (let n = 0; n < 4; n++) pdu[random(pdu.length)] = random(256);
    socket.write(pdu.subarray(0, 1 + random(pdu.length)));
    if (round % 3) socket.end();
    else socket.destroy();
  }
  const tlv = (tag: number, octets: number) =>
    Buffer.concat([Buffer.from([tag >> 8, tag & 255, 0, octets]), Buffer.alloc(octets, 0xff)]);
  const crooked = [0x020c, 0x020e, 0x020f, 0x1400, 0x1401, 0x0204].map(tag => {
    const body = Buffer.concat([submitPdu(9), tlv(tag, random(9))]);
    body.writeUInt32BE(body.length, 0);
    return body;
  });
  const socket = await opened();
  socket.write(Buffer.concat([bindPdu(), ...crooked]));
  expect((await customer.submit('905550000001', 'ayakta')).command_status).toBe(0);
  socket.destroy();
  customer.destroy();
});

test('a customer that submits far beyond its window and reads nothing is not read from either, and loses nothing it was answered', async () => {
  const before = (await server.orders(user.accountId)).length;
  const socket = await wait('a bind', async () => {
    const one = await opened();
    const answer = once(one, 'data');
    one.write(bindPdu());
    // Until those of the test before have left their places there is none.
    return (await answer)[0].readUInt32BE(8) === 0 ? one : undefined;
  });
  const answers: number[] = [];
  let rest = Buffer.alloc(0);
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= 16 && rest.length >= rest.readUInt32BE(0); rest = rest.subarray(rest.readUInt32BE(0)))
      if (rest.readUInt32BE(4) === 0x80000004) answers.push(rest.readUInt32BE(8));
  });
  for (let n = 2; n < 502; n++) socket.write(submitPdu(n));
  await wait('all answers', () => answers.length === 500);
  expect(new Set(answers)).toEqual(new Set([0]));
  expect((await server.orders(user.accountId)).length - before).toBe(500);
  socket.destroy();
});
