import { afterAll, beforeAll, expect, it } from 'vitest';
import { bound, type Esme, until } from './independent-esme.ts';
import { type Smsc, startSmsc } from './main.ts';

let smsc: Smsc;
let esme: Esme;

beforeAll(async () => {
  smsc = await startSmsc({ port: 0, httpPort: 0 });
  esme = await bound(smsc.port);
});

afterAll(async () => {
  esme.session.destroy();
  await smsc.stop();
});

async function texts(to: string): Promise<string[]> {
  const messages = (await (await fetch(`${smsc.url}/messages?to=${to}`)).json()) as { text: string }[];
  return messages.map(message => message.text);
}

type Case = { ending: string; guarantee: string; statuses: number[]; states: string[]; shown: boolean };

// Written from the published table, not from fates.ts.
const CASES: Case[] = [
  { ending: '9001', guarantee: 'ends UNDELIV and never shows', statuses: [0], states: ['UNDELIV'], shown: false },
  { ending: '9002', guarantee: 'is refused with 0x0B', statuses: [0x0b, 0x0b], states: [], shown: false },
  { ending: '9003', guarantee: 'ends EXPIRED and never shows', statuses: [0], states: ['EXPIRED'], shown: false },
  { ending: '9004', guarantee: 'shows without any receipt', statuses: [0], states: [], shown: true },
  { ending: '9005', guarantee: 'is delivered with a late receipt', statuses: [0], states: ['DELIVRD'], shown: true },
  { ending: '9006', guarantee: 'has two receipts', statuses: [0], states: ['DELIVRD', 'DELIVRD'], shown: true },
  { ending: '9007', guarantee: 'is throttled once', statuses: [0x58, 0], states: ['DELIVRD'], shown: true },
  { ending: '9008', guarantee: 'is delivered', statuses: [0], states: ['DELIVRD'], shown: true },
  { ending: '9009', guarantee: 'ends REJECTD and never shows', statuses: [0], states: ['REJECTD'], shown: false },
  {
    ending: '9010',
    guarantee: 'finds the queue full twice',
    statuses: [0x14, 0x14, 0],
    states: ['DELIVRD'],
    shown: true,
  },
  { ending: '9011', guarantee: 'is ENROUTE, then DELIVRD', statuses: [0], states: ['ENROUTE', 'DELIVRD'], shown: true },
  { ending: '0000', guarantee: 'is delivered', statuses: [0], states: ['DELIVRD'], shown: true },
];

it.concurrent.each(CASES)('a message to a number ending in $ending $guarantee', async fate => {
  const to = `90555000${fate.ending}`;
  let id = '';
  for (const status of fate.statuses) {
    const answer = await esme.submit(to, `kader ${fate.ending}`);
    expect(answer.command_status).toBe(status);
    id = answer.message_id ?? '';
  }
  const marker = await esme.submit('905550000001', `sonra ${fate.ending}`);
  const statesOf = (of: string) =>
    esme
      .receipts()
      .filter(line => line.endsWith(` ${of}`))
      .map(line => line.split(' ')[0]);
  await until(() => statesOf(marker.message_id!).length === 1 && statesOf(id).length >= fate.states.length);
  expect(statesOf(id)).toEqual(fate.states);
  expect(await texts(to)).toEqual(fate.shown ? [`kader ${fate.ending}`] : []);
});

it('a number ending in 9008 gets its receipt before the answer to its submit', async () => {
  const receiptsBefore = esme.receipts().length;
  const answer = esme.submit('905550009008', 'önce makbuz');
  const receiptsAtAnswer = await answer.then(({ message_id }) =>
    esme
      .receipts()
      .slice(receiptsBefore)
      .filter(line => line.endsWith(` ${message_id}`)),
  );
  expect(receiptsAtAnswer).toHaveLength(1);
});

it('with separate binds too, a number ending in 9008 gets its receipt before the answer', async () => {
  const receiver = await bound(smsc.port, 'receiver', 'ayri');
  const transmitter = await bound(smsc.port, 'transmitter', 'ayri');
  const answer = await transmitter.submit('905550009008', 'ayrı');
  expect(receiver.receipts()).toEqual([`DELIVRD ${answer.message_id}`]);
  receiver.session.destroy();
  transmitter.session.destroy();
});

it('attempts are counted for each text by itself, and a new message begins anew', async () => {
  const statuses: number[] = [];
  for (const text of ['bir', 'iki', 'bir', 'iki', 'bir', 'bir'])
    statuses.push((await esme.submit('905551119007', text)).command_status);
  expect(statuses).toEqual([0x58, 0x58, 0, 0, 0x58, 0]);
});
