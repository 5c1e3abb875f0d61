// Wrong PDUs are answered and survived if the stream is still in step, and fatal if it is not. The peer is raw, so the octets
// are exactly those written here.

import * as net from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listen } from './server.ts';
import { rawPair, recorder } from './session-pair.ts';
import { fixtures, hex } from './wire-fixtures.ts';

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 90_000, interval: 2 });
const closers: Array<() => Promise<void> | void> = [];

async function raw(...args: Parameters<typeof rawPair>) {
  const made = await rawPair(...args);
  closers.push(made.close);
  return made;
}

/** A server of ours and a raw connection that has bound with these options. */
async function rawEsme(bindId?: string) {
  const { heard, handler } = recorder((pdu, session) => {
    if (pdu.command === 'submit_sm') session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: 'm' });
  });
  const server = await listen<number>({ port: 0, authorise: () => 0, onSession: () => handler });
  const socket = net.connect(server.port, '127.0.0.1');
  const received: Buffer[] = [];
  let ended = false;
  socket.on('data', chunk => received.push(chunk as Buffer));
  socket.on('end', () => {
    ended = true;
  });
  closers.push(
    () => server.close(),
    () => void socket.destroy(),
  );
  const octets = () => Buffer.concat(received).toString('hex');
  if (bindId) {
    socket.write(hex(`00000017 ${bindId} 00000000 00000001 00 00 00 34 00 00 00`));
    await until(() => expect(received).toHaveLength(1));
    received.length = 0;
  }
  return { heard, octets, send: (text: string) => socket.write(hex(text)), socket, ended: () => ended };
}

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const submit = fixtures.find(f => f.command === 'submit_sm')!.octets;
const submitAnswer = '00000012800000040000000000000002' + '6d00';

describe('recoverable', () => {
  test('an unknown command is nacked, and the next PDU is served', async () => {
    const { heard, octets, send } = await rawEsme('00000009');
    send(`00000012 00000777 00000000 00000005 abcd ${submit.toString('hex')}`);
    await until(() => expect(octets()).toBe(`00000010800000000000000300000005${submitAnswer}`));
    expect(heard.errors).toMatchObject([{ recoverable: true, status: 3 }]);
  });

  test('a submit_sm with a bad body is answered with the status of its bad field, and the next is served', async () => {
    const { heard, octets, send } = await rawEsme('00000009');
    send(`00000034 00000004 00000000 00000005 00 0500 ${'41'.repeat(33)} ${submit.toString('hex')}`);
    await until(() => expect(octets()).toBe(`00000010800000040000000a00000005${submitAnswer}`));
    expect(heard.requests).toHaveLength(1);
  });

  test('PDUs that come one octet at a time are served', async () => {
    const { octets, socket } = await rawEsme('00000009');
    for (const octet of submit) socket.write(Buffer.from([octet]));
    await until(() => expect(octets()).toBe(submitAnswer));
  });

  test.each([
    ['a submit before any bind', undefined, '00000004'],
    ['a submit over a receiver bind', '00000001', '00000004'],
  ])('%s is answered with invalid bind status', async (_name, bindId, status) => {
    const { octets, socket } = await rawEsme(bindId);
    socket.write(submit);
    await until(() => expect(octets()).toBe(`0000001080000004${status}00000002`));
  });

  test('a second bind is answered with already bound', async () => {
    const { octets, send } = await rawEsme('00000009');
    send('00000017 00000002 00000000 00000007 00 00 00 34 00 00 00');
    await until(() => expect(octets()).toBe('00000010800000020000000500000007'));
  });

  test('a broken alert_notification is reported and not answered, for it has no answer', async () => {
    const { client, heard, peer } = await raw();
    peer.send('00000011 00000102 00000000 00000001 01');
    peer.send('00000010 00000015 00000000 00000002');
    await until(() => expect(peer.frames).toHaveLength(1));
    expect(peer.frames[0]!.readUInt32BE(4)).toBe(0x80000015);
    expect(heard.errors).toHaveLength(1);
    expect(client.state).toBe('bound_trx');
  });
});

describe('fatal', () => {
  test.each([
    ['a command_length below 16', '0000000f 00000015 00000000'],
    ['a command_length over the bound', '00010001 00000015 00000000'],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\n\r\n').toString('hex')],
  ])('%s is nacked and the connection closed', async (_name, octetsSent) => {
    const { heard, octets, send, ended } = await rawEsme('00000009');
    send(octetsSent);
    await until(() => expect(ended()).toBe(true));
    expect(octets()).toBe('00000010800000000000000200000000');
    expect(heard.errors).toMatchObject([{ recoverable: false }]);
    expect(heard.closed).toHaveLength(1);
  });

  test('garbage fails what was pending at once', async () => {
    const { client, heard, peer } = await raw();
    client.submit(Buffer.alloc(17), 5);
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send('ffffffff ffffffff');
    await until(() => expect(heard.closed).toHaveLength(1));
    expect(heard.lost).toEqual([[5, 'closed']]);
  });

  test('seeded garbage never throws out of a session', async () => {
    let seed = 77;
    const next = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    };
    for (let round = 0; round < 20; round++) {
      const { heard, peer } = await raw();
      const garbage = Buffer.from(Array.from({ length: 200 }, next));
      peer.socket().end(Buffer.concat([fixtures[round]!.octets, garbage]));
      await until(() => expect(heard.closed).toHaveLength(1));
    }
  });
});
