import { afterEach, beforeEach, expect, it } from 'vitest';
import { submitTemplate } from '../../src/smpp/submit-body.ts';
import { bound, type Esme, until } from './independent-esme.ts';
import { type Smsc, startSmsc } from './main.ts';

const TO = '905550000000';
let smsc: Smsc;
let esme: Esme;
const open: Esme[] = [];

beforeEach(async () => {
  smsc = await startSmsc({ port: 0, httpPort: 0 });
  esme = await bind();
});

afterEach(async () => {
  for (const one of open.splice(0)) one.session.destroy();
  await smsc.stop();
});

async function bind(): Promise<Esme> {
  const one = await bound(smsc.port);
  open.push(one);
  return one;
}

async function fault(kind: string, seconds = 600, more: object = {}): Promise<void> {
  const answer = await fetch(`${smsc.url}/fault`, { method: 'POST', body: JSON.stringify({ kind, seconds, ...more }) });
  expect(await answer.json()).toMatchObject({ ok: true, kind });
}

/* Ends every fault as its time would. */
const faultsEnd = () => fetch(`${smsc.url}/reset`, { method: 'POST' });

async function shown(): Promise<string[]> {
  const messages = (await (await fetch(`${smsc.url}/messages?to=${TO}`)).json()) as { text: string }[];
  return messages.map(message => message.text);
}

type Stats = { faults: string[]; submits: number; ignored: number };

async function stats(): Promise<Stats> {
  return (await (await fetch(`${smsc.url}/stats`)).json()) as Stats;
}

it('drop closes every connection, refuses binds meanwhile, and passes', async () => {
  await fault('drop');
  await until(() => esme.closed);
  await expect(bind()).rejects.toThrow('closed');
  await faultsEnd();
  expect((await (await bind()).submit(TO)).command_status).toBe(0);
});

it('a fault ends by itself after its seconds', async () => {
  await fault('throttle', 0.05);
  await until(async () => (await stats()).faults.length === 0);
  expect((await esme.submit(TO)).command_status).toBe(0);
});

it('stall reads, answers nothing, shows nothing, and the connection works afterwards', async () => {
  await fault('stall');
  let answers = 0;
  const note = () => {
    answers++;
  };
  esme.submit(TO, 'kayip').then(note, note);
  esme.request('enquire_link').then(note, note);
  const late = bound(smsc.port).then(note, note);
  await until(async () => (await stats()).ignored === 3);
  expect(answers).toBe(0);
  await faultsEnd();
  expect((await esme.submit(TO, 'sonra')).command_status).toBe(0);
  expect(answers).toBe(0);
  expect(await shown()).toEqual(['sonra']);
  await smsc.stop();
  await late;
});

it('throttle answers 0x58 to every submit', async () => {
  await fault('throttle');
  expect((await esme.submit(TO, 'bir')).command_status).toBe(0x58);
  expect((await esme.submit(TO, 'bir')).command_status).toBe(0x58);
  expect(await shown()).toEqual([]);
});

it('garbage reaches every connection once and the centre goes on serving', async () => {
  const octets: Buffer[] = [];
  (esme.session.socket as unknown as NodeJS.EventEmitter).on('data', (chunk: Buffer) => octets.push(chunk));
  await fault('garbage');
  await until(() => Buffer.concat(octets).includes(Buffer.from('00000020000000050000000000bada55ff', 'hex')));
  expect((await (await bind()).submit(TO)).command_status).toBe(0);
});

it('accept-then-drop: the phone has it, the answer never comes, the receipt waits for the next bind', async () => {
  await fault('accept-then-drop');
  await expect(esme.submit(TO, 'cevapsiz')).rejects.toThrow('closed');
  expect(await shown()).toEqual(['cevapsiz']);
  await fault('accept-then-drop', 0);
  await until(async () => (await stats()).faults.length === 0);
  const next = await bind();
  await until(() => next.receipts().length === 1);
});

it('answer-late holds the answers, not the messages, until the fault ends', async () => {
  await fault('answer-late');
  let answered = false;
  const answer = esme.submit(TO, 'gec').then(pdu => {
    answered = true;
    return pdu;
  });
  await until(() => esme.receipts().length === 1);
  expect(answered).toBe(false);
  await fault('answer-late', 0);
  expect((await answer).command_status).toBe(0);
});

it('answer-late with delayMs answers each submit later, in order', async () => {
  await fault('answer-late', 600, { delayMs: 20 });
  const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => esme.submit(TO, `${n}`)));
  expect(ids.map(pdu => pdu.message_id)).toEqual([...ids.map(pdu => pdu.message_id!)].sort());
});

it('half-open silences the connections of the moment, and new ones work and get the receipts', async () => {
  esme.acknowledge = 'no';
  await esme.submit(TO, 'once');
  await until(() => esme.receipts().length === 1);
  await fault('half-open');
  let answered = false;
  esme.request('enquire_link').then(
    () => {
      answered = true;
    },
    () => {},
  );
  const next = await bind();
  expect((await next.submit(TO, 'yeni')).command_status).toBe(0);
  await until(() => next.receipts().length === 2);
  expect([answered, esme.closed]).toEqual([false, false]);
  await faultsEnd();
  await until(() => esme.closed);
});

it('slow-read still serves what it reads', async () => {
  await fault('slow-read');
  expect((await esme.submit(TO, 'yavas')).command_status).toBe(0);
  expect((await esme.submit(TO, 'yavas iki')).command_status).toBe(0);
});

it('unbind asks every connection to unbind and closes it', async () => {
  await fault('unbind');
  await until(() => esme.closed);
  expect(esme.requests).toContain('unbind');
});

it('id-restart gives the ids of before again', async () => {
  const first = await esme.submit(TO, 'bir');
  await fault('id-restart');
  expect((await esme.submit(TO, 'iki')).message_id).toBe(first.message_id);
});

it('receipt-flood holds receipts back and then sends them without a window', async () => {
  await fault('receipt-flood');
  esme.acknowledge = 'no';
  const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => esme.submit(TO, `sel ${n}`)));
  const { message_id } = answers.at(-1)!;
  await until(async () => (await esme.request('query_sm', { message_id })).message_state === 2);
  expect(esme.receipts()).toEqual([]);
  await fault('receipt-flood', 0);
  await until(() => esme.receipts().length === 500);
});

it('receipt-wrong-base writes the ids of receipts in hexadecimal', async () => {
  await fault('receipt-wrong-base');
  const { message_id } = await esme.submit(TO);
  await until(() => esme.receipts().length === 1);
  expect(esme.receipts()).toEqual([`DELIVRD ${Number(message_id).toString(16)}`]);
});

it('receipt-unknown-id sends a receipt for an id that never was before each true one', async () => {
  await fault('receipt-unknown-id');
  const { message_id } = await esme.submit(TO);
  await until(() => esme.receipts().length === 2);
  expect(esme.receipts()[0]).not.toBe(`DELIVRD ${message_id}`);
  expect(esme.receipts()[1]).toBe(`DELIVRD ${message_id}`);
});

it('window-1 throttles what is sent before the last answer, and takes what waits for it', async () => {
  await fault('window-1');
  expect((await esme.submit(TO, 'a')).command_status).toBe(0);
  expect((await esme.submit(TO, 'b')).command_status).toBe(0);
  const body = submitTemplate({ sourceAddr: 'PEYK', shortMessage: Buffer.from('c') }).encode(TO);
  const octets = Array.from({ length: 3 }, (_, n) => {
    const header = Buffer.alloc(16);
    header.writeUInt32BE(16 + body.length, 0);
    header.writeUInt32BE(0x04, 4);
    header.writeUInt32BE(1_000 + n, 12);
    return Buffer.concat([header, body]);
  });
  esme.session.socket.write(Buffer.concat(octets));
  await until(async () => (await stats()).submits === 5);
  expect(await stats()).toMatchObject({ throttled: 2 });
});
