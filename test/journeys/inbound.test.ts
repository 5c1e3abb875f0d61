// People write back: the account that gets the message, its contents, and the opt-out words.
import { beforeAll, describe, expect, test } from 'vitest';
import { turkeyTime } from '../support/customers/samples.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let owner: Customer;
let neighbour: Customer;

beforeAll(async () => {
  program = await startProgram();
  owner = await program.account();
  neighbour = await program.account();
  await program.cli('number', 'add', owner.id, '908500000000');
  await program.cli('number', 'add', owner.id, '7889', '--keyword', 'abc');
  await program.cli('number', 'add', neighbour.id, '7889', '--keyword', 'XYZ');
});

async function inbox(customer: Customer, members: object = {}) {
  const reply = await customer.call('get-inbox', { inbox: members });
  expect(reply.code).toBe(200);
  return reply.response.inbox!;
}

test('a message goes to the account of the number, or of the keyword on a shared number', async () => {
  await program.carrier.write('5550000001', '908500000000', 'Merhaba');
  await program.carrier.write('5550000001', '7889', 'abc EVET');
  await program.carrier.write('5550000001', '7889', 'Xyz hayır');
  expect((await inbox(owner)).message).toEqual([
    { id: expect.any(Number), number: '+905550000001', to: '7889', text: 'abc EVET', receivedAt: expect.any(String) },
    expect.objectContaining({ number: '+905550000001', to: '908500000000', text: 'Merhaba' }),
  ]);
  expect((await inbox(neighbour)).message).toEqual([expect.objectContaining({ text: 'Xyz hayır' })]);
});

test('a message that nobody owns is kept', async () => {
  await program.carrier.write('5550000001', '7889', 'kimse yok');
  const { rows } = await (await program.db()).query('select sender, recipient, text from inbound_unrouted');
  expect(rows).toEqual([{ sender: '905550000001', recipient: '7889', text: 'kimse yok' }]);
});

describe('a long message arrives joined', () => {
  test.each([
    ['plain', 'Uzun bir mesaj. '.repeat(30).trim()],
    ['Turkish', 'Çağrı ığüşöç İĞÜŞÖÇ. '.repeat(30).trim()],
    ['emoji', '😀 güle güle 🎉 '.repeat(25).trim()],
  ])('%s', async (_name, text) => {
    await program.carrier.write('5550000002', '908500000000', text);
    await wait('it to be whole', async () => (await inbox(owner)).message[0]?.text === text);
    const { rows } = await (await program.db()).query('select count(*) as n from inbound_parts');
    expect(rows[0].n).toBe(0);
  });
});

describe('a phone that writes an opt-out word is not written to again', () => {
  test.each([
    ['RET', '908500000000'],
    ['iptal', '908500000000'],
    ['İPTAL', '908500000000'],
    ['dur', '908500000000'],
    ['Stop', '908500000000'],
    ['ABC RET', '7889'],
    ['abc ıptal', '7889'],
  ])('%s to %s', async (text, to) => {
    const from = `55510000${10 + Number(Buffer.from(text).reduce((sum, octet) => sum + octet, 0) % 90)}`;
    await program.carrier.write(from, to, text);
    const { number } = (await owner.call('get-blacklist')).response.blacklist!;
    expect(number).toContain(`+90${from}`);
    expect((await owner.trySend('Kampanya', [from])).code).toBe(452);
    const id = await owner.send(`Kampanya ${from}`, [from, '5550000003']);
    expect((await owner.finished(id)).message.map(one => one.status)).toEqual([112, 111]);
    expect(await program.carrier.phone(from)).toEqual([]);
  });

  test('but not for the word within a sentence, nor for another account', async () => {
    await program.carrier.write('5550000004', '908500000000', 'RET cevabı vermek istemiyorum');
    await program.carrier.write('5550000004', '7889', 'XYZ RET');
    expect((await owner.call('get-blacklist')).response.blacklist!.number).not.toContain('+905550000004');
    expect((await neighbour.call('get-blacklist')).response.blacklist!.number).toEqual(['+905550000004']);
  });
});

test('the inbox is read page by page, newest first, and by time', async () => {
  const all = await inbox(owner);
  expect(all.count).toBe(all.message.length);
  const second = await inbox(owner, { page: 2, rowCount: 3 });
  expect(second.count).toBe(all.count);
  expect(second.message).toEqual(all.message.slice(3, 6));
  expect((await inbox(owner, { filter: { end: turkeyTime(-3_600_000) } })).count).toBe(0);
  expect((await inbox(owner, { filter: { start: turkeyTime(-3_600_000) } })).count).toBe(all.count);
  expect((await owner.call('get-inbox', { inbox: { page: 0 } })).code).toBe(464);
});
