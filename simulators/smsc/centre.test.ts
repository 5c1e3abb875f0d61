import { connect as connectSocket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/smpp/client.ts';
import { parseReceipt } from '../../src/smpp/receipt.ts';
import { submitTemplate } from '../../src/smpp/submit-body.ts';
import { type Bind, bound, Esme, textOf, until } from './independent-esme.ts';
import { type Smsc, startSmsc } from './main.ts';

let smsc: Smsc;
let systemId = '';
let serial = 0;
const open: Esme[] = [];

beforeAll(async () => {
  smsc = await startSmsc({ port: 0, httpPort: 0 });
});
afterAll(() => smsc.stop());
beforeEach(() => {
  systemId = `deneme${++serial}`;
});
afterEach(() => {
  for (const esme of open.splice(0)) esme.session.destroy();
});

async function bind(as: Bind = 'transceiver', port = smsc.port): Promise<Esme> {
  const esme = await bound(port, as, systemId);
  open.push(esme);
  return esme;
}

async function stats(): Promise<Record<string, number>> {
  return (await (await fetch(`${smsc.url}/stats`)).json()) as Record<string, number>;
}

async function shown(to: string): Promise<string[]> {
  const messages = (await (await fetch(`${smsc.url}/messages?to=${to}`)).json()) as { text: string; parts: number }[];
  return messages.map(({ text, parts }) => `${parts}:${text}`);
}

describe('answers', () => {
  it('message ids are decimal and grow by one', async () => {
    const esme = await bind();
    const ids = await Promise.all(['1', '2', '3'].map(text => esme.submit('905550000000', text)));
    const first = Number(ids[0]!.message_id);
    expect(ids.map(answer => answer.message_id)).toEqual([first, first + 1, first + 2].map(String));
  });

  it('a submit over a receiver bind and before any bind is answered 0x04', async () => {
    const receiver = await bind('receiver');
    expect((await receiver.submit('905550000000')).command_status).toBe(0x04);
    const stranger = new Esme(smsc.port);
    open.push(stranger);
    expect((await stranger.submit('905550000000')).command_status).toBe(0x04);
  });

  it('a second bind on the same connection is answered 0x05', async () => {
    const esme = await bind();
    expect((await esme.request('bind_transceiver', { system_id: 'x', password: 'y' })).command_status).toBe(0x05);
  });

  it('a destination that is no number is refused with 0x0B and one with a plus is taken', async () => {
    const esme = await bind();
    expect((await esme.submit('PEYK')).command_status).toBe(0x0b);
    expect((await esme.submit('')).command_status).toBe(0x0b);
    expect((await esme.submit('+905550000017', 'artı')).command_status).toBe(0);
    expect(await shown('905550000017')).toHaveLength(1);
  });

  it('query_sm answers the state, and 0x67 for an id that never was', async () => {
    const esme = await bind();
    const { message_id } = await esme.submit('905550009009');
    await until(async () => (await esme.request('query_sm', { message_id })).message_state === 8);
    expect((await esme.request('query_sm', { message_id: '1' })).command_status).toBe(0x67);
  });

  it('there is nothing left to cancel (0x11) or to replace (0x13)', async () => {
    const esme = await bind();
    const { message_id } = await esme.submit('905550000000');
    expect((await esme.request('cancel_sm', { message_id })).command_status).toBe(0x11);
    expect((await esme.request('replace_sm', { message_id, short_message: 'x' })).command_status).toBe(0x13);
  });

  it('data_sm, message_payload and SAR parts reach the phone', async () => {
    const esme = await bind();
    const to = '905550000018';
    const payload = { message_payload: 'a'.repeat(400), destination_addr: to, source_addr: 'PEYK', data_coding: 0 };
    expect((await esme.request('data_sm', payload)).command_status).toBe(0);
    await esme.submit(to, '', { message_payload: 'b'.repeat(300) });
    for (const n of [2, 1])
      await esme.submit(to, `p${n} `, { sar_msg_ref_num: 300, sar_total_segments: 2, sar_segment_seqnum: n });
    expect(await shown(to)).toEqual([`1:${'a'.repeat(400)}`, `1:${'b'.repeat(300)}`, '2:p1 p2 ']);
  });

  it('wrong passwords are refused where passwords are set', async () => {
    const strict = await startSmsc({ port: 0, httpPort: 0, passwords: { deneme: 'parola' } });
    await (await bound(strict.port, 'transceiver', 'deneme')).session.destroy();
    const status = async (system_id: string, password: string) => {
      const esme = new Esme(strict.port);
      open.push(esme);
      return (await esme.request('bind_transceiver', { system_id, password })).command_status;
    };
    expect(await status('deneme', 'yanlis')).toBe(0x0e);
    expect(await status('baska', 'parola')).toBe(0x0f);
    await strict.stop();
  });
});

describe('receipts', () => {
  it('registered_delivery 0 asks for none and 2 only for failures', async () => {
    const esme = await bind();
    await esme.submit('905550000000', 'yok', { registered_delivery: 0 });
    await esme.submit('905550000000', 'yok', { registered_delivery: 2 });
    const failed = await esme.submit('905550009001', 'var', { registered_delivery: 2 });
    const last = await esme.submit('905550000000', 'son');
    await until(() => esme.receipts().length >= 2);
    expect(esme.receipts()).toEqual([`UNDELIV ${failed.message_id}`, `DELIVRD ${last.message_id}`]);
  });

  it('carry the id and the state in text and in parameters, from the phone to the sender', async () => {
    const esme = await bind();
    const { message_id } = await esme.submit('905550009001');
    await until(() => esme.delivered.length === 1);
    const receipt = esme.delivered[0]!;
    expect(receipt.source_addr).toBe('905550009001');
    expect(receipt.destination_addr).toBe('PEYK');
    expect(receipt.receipted_message_id).toBe(message_id);
    expect(receipt.message_state).toBe(5);
    expect(textOf(receipt)).toMatch(
      /^id:\d+ sub:001 dlvrd:000 submit date:\d{10} done date:\d{10} stat:UNDELIV err:027 text:$/,
    );
  });

  it('wait for a system_id that is away and come when it binds again', async () => {
    const transmitter = await bind('transmitter');
    const { message_id } = await transmitter.submit('905550000000', 'yokken');
    transmitter.session.destroy();
    const later = await bind();
    await until(() => later.receipts().length === 1);
    expect(later.receipts()).toEqual([`DELIVRD ${message_id}`]);
  });

  it('never go to another system_id', async () => {
    const other = await bound(smsc.port, 'transceiver', 'baskasi');
    open.push(other);
    const mine = await bind();
    await mine.submit('905550000000');
    await until(() => mine.receipts().length === 1);
    expect(other.receipts()).toEqual([]);
  });

  it('not acknowledged when the link drops are sent again, in order, on the next bind', async () => {
    const silent = await bind();
    silent.acknowledge = 'no';
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await silent.submit('905550000000', `${n}`)).message_id!);
    await until(() => silent.receipts().length === 5);
    silent.session.destroy();
    const next = await bind();
    await until(() => next.receipts().length === 5);
    expect(next.receipts()).toEqual(ids.map(id => `DELIVRD ${id}`));
  });

  it('refused for now (0x58) are offered again', async () => {
    const esme = await bind();
    esme.acknowledge = 0x58;
    await esme.submit('905550000000');
    await until(() => esme.receipts().length === 1);
    esme.acknowledge = 'yes';
    await until(() => esme.receipts().length === 2);
    expect(new Set(esme.receipts()).size).toBe(1);
  });

  it('no more than 100 are under way unacknowledged on one link', async () => {
    const silent = await bind();
    silent.acknowledge = 'no';
    await Promise.all(Array.from({ length: 150 }, (_, n) => silent.submit('905550000000', `pencere ${n}`)));
    const watcher = await bound(smsc.port, 'transceiver', 'tanik');
    open.push(watcher);
    await until(() => silent.receipts().length === 100);
    await watcher.submit('905550000000');
    await until(() => watcher.receipts().length === 1);
    expect(silent.receipts()).toHaveLength(100);
  });

  it('are spread over the receiving binds of a system_id', async () => {
    const [first, second] = [await bind(), await bind()];
    await Promise.all(Array.from({ length: 20 }, (_, n) => first.submit('905550000000', `tur ${n}`)));
    await until(() => first.receipts().length + second.receipts().length === 20);
    expect(first.receipts()).toHaveLength(10);
  });
});

describe('the stream', () => {
  const enquire = Buffer.from('00000010000000150000000000000007', 'hex');

  async function exchange(octets: Buffer[], answerBytes: number): Promise<{ hex: string; closed: boolean }> {
    const socket = connectSocket(smsc.port, '127.0.0.1');
    socket.setNoDelay(true);
    let received = Buffer.alloc(0);
    let closed = false;
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
    });
    socket.on('close', () => {
      closed = true;
    });
    for (const part of octets) {
      await new Promise(resolve => socket.write(part, resolve));
      await new Promise(resolve => setImmediate(resolve));
    }
    await until(() => received.length >= answerBytes || closed);
    const result = { hex: received.toString('hex'), closed };
    socket.destroy();
    return result;
  }

  it('may come one octet at a time', async () => {
    const { hex } = await exchange(
      [...enquire].map(octet => Buffer.from([octet])),
      16,
    );
    expect(hex).toBe('00000010800000150000000000000007');
  });

  it('an unknown command is answered with generic_nack 0x03 and the connection goes on', async () => {
    const unknown = Buffer.from('00000010000000990000000000000005', 'hex');
    const { hex } = await exchange([unknown, enquire], 32);
    expect(hex).toBe('0000001080000000000000030000000500000010800000150000000000000007');
  });

  it('an impossible length is answered with generic_nack 0x02 and closed', async () => {
    const { hex } = await exchange([Buffer.from('fffffff0000000150000000000000005', 'hex')], 16);
    expect(hex).toBe('00000010800000000000000200000000');
  });

  it('every truncation of a submit is refused and none ends the centre', async () => {
    const esme = await bind();
    const body = submitTemplate({ sourceAddr: 'PEYK', shortMessage: Buffer.from('merhaba') }).encode('905550000000');
    const before = await stats();
    for (let length = 0; length < body.length; length++) {
      const header = Buffer.alloc(16);
      header.writeUInt32BE(16 + length, 0);
      header.writeUInt32BE(0x04, 4);
      header.writeUInt32BE(1_000 + length, 12);
      esme.session.socket.write(Buffer.concat([header, body.subarray(0, length)]));
    }
    expect((await esme.submit('905550000000', 'sag')).command_status).toBe(0);
    expect((await stats())['refused']! - before['refused']!).toBe(body.length);
  });
});

describe('the client of this project', () => {
  it('sends, is answered, and reads every receipt', async () => {
    const messages = 2_000;
    const answered = new Set<string>();
    const receipted = new Set<string>();
    const template = submitTemplate({
      sourceAddrTon: 5,
      sourceAddr: 'PEYK',
      destAddrTon: 1,
      destAddrNpi: 1,
      registeredDelivery: 1,
      shortMessage: Buffer.from('kendi istemcimiz'),
    });
    const session = await connect<number>(
      {
        host: '127.0.0.1',
        port: smsc.port,
        bind: 'transceiver',
        systemId,
        password: 'parola',
        window: 100,
        responseTimeoutMs: 5_000,
        enquireLinkMs: 5_000,
        connectTimeoutMs: 5_000,
      },
      {
        onSubmitAnswer: (_token, status, id) => status === 0 && answered.add(id),
        onSubmitLost: () => {},
        onClose: () => {},
        onRequest: (pdu, owner) => {
          if (pdu.command !== 'deliver_sm') return;
          const receipt = parseReceipt(pdu);
          if (receipt?.state === 'DELIVRD') receipted.add(receipt.messageId);
          owner.respond('deliver_sm_resp', pdu.sequence, 0);
        },
      },
    );
    let sent = 0;
    await until(() => {
      while (sent < messages && session.submit(template.encode(String(905_551_000_000 + sent)), sent)) sent++;
      return receipted.size === messages;
    });
    expect(receipted).toEqual(answered);
    await session.unbind(1_000);
  });
});
