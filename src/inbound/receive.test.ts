// Messages from phones: their account, joined parts, and opt-out words.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { interleaved } from '../../test/support/database/interleaved.ts';
import { openAccount } from '../accounts/open.ts';
import { changeSettings } from '../accounts/settings.ts';
import { numberTlv, octetsTlv, type Tlv } from '../smpp/tlv.ts';
import { foldKeyword } from '../text/keywords.ts';
import { inboxPage } from './inbox.ts';
import { addInboundNumber } from './numbers.ts';
import { type InboundPdu, receiveInbound } from './receive.ts';

let database: TestDatabase;
let account: number;
let short: string;
let codes = 7_000;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  account = (await openAccount(database.pool, 'Deneme')).id;
  short = String(++codes);
  await addInboundNumber(database.pool, account, short, 'abc');
});

function deliver(text: string | Buffer, members: object = {}, tlvs: Tlv[] = [], from = '905550000000'): Promise<void> {
  const shortMessage = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const fields = { sourceAddr: from, destinationAddr: short, esmClass: 0, dataCoding: 3, shortMessage, ...members };
  return receiveInbound(database.pool, 1, { command: 'deliver_sm', fields, tlvs } as unknown as InboundPdu);
}

async function inbox(): Promise<string[]> {
  const { messages } = await inboxPage(database.pool, account, { start: null, end: null }, 1, 100);
  return messages.map(one => one.text);
}

async function blacklist(): Promise<number[]> {
  const { rows } = await database.pool.query('select number from blacklist_entries where account_id = $1', [account]);
  return (rows as { number: number }[]).map(one => one.number);
}

function part(sequence: number, total: number, text: string, reference = 9): Buffer {
  return Buffer.concat([Buffer.from([5, 0, 3, reference, total, sequence]), Buffer.from(text, 'latin1')]);
}

describe('words', () => {
  test.each([
    ['iptal', 'IPTAL'],
    ['İPTAL', 'IPTAL'],
    ['ıptal', 'IPTAL'],
    ['Şişli', 'SISLI'],
    [' çöğü ', 'COGU'],
  ])('%s is the word %s', (given, word) => {
    expect(foldKeyword(given)).toBe(word);
  });
});

test('the first word chooses the account on a shared number, in any casing', async () => {
  await deliver('ABC evet');
  await deliver('Abc');
  await deliver('xyz evet');
  expect(await inbox()).toEqual(['Abc', 'ABC evet']);
  const { rows } = await database.pool.query('select text from inbound_unrouted where recipient = $1', [short]);
  expect(rows).toEqual([{ text: 'xyz evet' }]);
});

test('a message keeps the word that brought it, or the opt-out word it said', async () => {
  const whole = String(++codes);
  await addInboundNumber(database.pool, account, whole, '');
  await deliver('aBc evet');
  await deliver('abc ret');
  await deliver('Ret', { destinationAddr: whole });
  await deliver('merhaba', { destinationAddr: whole });
  const { rows } = await database.pool.query(
    'select text, keyword from inbound_messages where account_id = $1 order by id',
    [account],
  );
  expect(rows).toEqual([
    { text: 'aBc evet', keyword: 'ABC' },
    { text: 'abc ret', keyword: 'ABC' },
    { text: 'Ret', keyword: 'RET' },
    { text: 'merhaba', keyword: '' },
  ]);
});

test('an account that has the whole number gets what no keyword takes', async () => {
  const other = (await openAccount(database.pool, 'Deneme')).id;
  await addInboundNumber(database.pool, other, short, '');
  await deliver('merhaba');
  await deliver('abc merhaba');
  expect(await inbox()).toEqual(['abc merhaba']);
  await expect(addInboundNumber(database.pool, other, short, 'ABC')).rejects.toThrow(/another account/);
});

test('parts that arrive at the same moment, in any order, become one message', async () => {
  for (let round = 0; round < 10; round++) {
    const pieces = [part(3, 3, 'c', round), part(1, 3, 'abc a', round), part(2, 3, 'b', round)];
    await Promise.all(pieces.map(one => deliver(one, { esmClass: 0x40 })));
  }
  expect(await inbox()).toEqual(Array(10).fill('abc abc'));
  expect((await database.pool.query('select 1 from inbound_parts')).rowCount).toBe(0);
});

test('a part that comes twice counts once, and parts of two phones do not mix', async () => {
  await deliver(part(1, 2, 'abc bir '), { esmClass: 0x40 });
  await deliver(part(1, 2, 'abc bir '), { esmClass: 0x40 });
  await deliver(part(2, 2, 'iki'), { esmClass: 0x40 }, [], '905550000001');
  expect(await inbox()).toEqual([]);
  await deliver(part(2, 2, 'iki'), { esmClass: 0x40 });
  expect(await inbox()).toEqual(['abc bir iki']);
});

test('parts may be numbered beside the text, and a text may come as a payload', async () => {
  const sar = (sequence: number) => [
    numberTlv('sar_msg_ref_num', 77, 2),
    numberTlv('sar_total_segments', 2, 1),
    numberTlv('sar_segment_seqnum', sequence, 1),
  ];
  await deliver('abc bir ', {}, sar(1));
  await deliver('iki', {}, sar(2));
  await deliver('', {}, [octetsTlv('message_payload', Buffer.from('abc yük', 'latin1'))]);
  expect(await inbox()).toEqual(['abc yük', 'abc bir iki']);
});

test('halves of an emoji in two parts meet again, and what is no text is dropped, never refused', async () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const whole = utf16('abc 😀!');
  const header = (sequence: number) => Buffer.from([5, 0, 3, 1, 2, sequence]);
  await deliver(Buffer.concat([header(1), whole.subarray(0, 10)]), { esmClass: 0x40, dataCoding: 8 });
  await deliver(Buffer.concat([header(2), whole.subarray(10)]), { esmClass: 0x40, dataCoding: 8 });
  await deliver(utf16('abc \ud83d\0x'), { dataCoding: 8 });
  await deliver(Buffer.from([255, 255, 255, 255]), { esmClass: 0x40 });
  expect(await inbox()).toEqual(['abc x', 'abc 😀!']);
});

describe('an opt-out word alone, or after the keyword, puts the phone on the blacklist', () => {
  test.each([
    ['abc RET', true],
    ['abc iptal', true],
    ['ABC \u0130PTAL', true],
    ['abc dur', true],
    ['abc ret istemiyorum', false],
    ['abc', false],
  ])('%s: %s', async (text, expected) => {
    await deliver(Buffer.from(text, 'utf16le').swap16(), { dataCoding: 8 });
    expect(await blacklist()).toEqual(expected ? [905_550_000_000] : []);
    expect(await inbox()).toEqual([text]);
  });

  test.each([
    'RET',
    'ret',
    'iptal',
    '\u0130ptal',
    'IPTAL',
    '\u0131ptal',
    'i\u0307ptal',
    'Dur',
    'stop',
    'STOP.',
    '“RET”',
  ])('the words of the law stop messages whatever words an account chose: %s', async word => {
    await changeSettings(database.pool, account, { 'opt-out': 'CIK' });
    // An account as earlier releases left it, which let customers replace the words.
    await database.pool.query(`update accounts set opt_out_keywords = '{CIK}' where id = $1`, [account]);
    await deliver(Buffer.from(`abc ${word}`, 'utf16le').swap16(), { dataCoding: 8 });
    expect(await blacklist()).toEqual([905_550_000_000]);
  });

  test('an account may add words to those of the law, and take its own away again', async () => {
    const words = async (given: string) => {
      await changeSettings(database.pool, account, { 'opt-out': given });
      const { rows } = await database.pool.query('select opt_out_keywords as words from accounts where id = $1', [
        account,
      ]);
      return rows[0].words;
    };
    expect(await words('çık,ret,CIK')).toEqual(['RET', 'IPTAL', 'DUR', 'STOP', 'CIK']);
    await deliver('abc evet');
    expect(await blacklist()).toEqual([]);
    await deliver('abc \xe7ik');
    expect(await blacklist()).toEqual([905_550_000_000]);
    expect(await words('')).toEqual(['RET', 'IPTAL', 'DUR', 'STOP']);
  });

  test('no account may take such a word for its keyword, which would swallow it', async () => {
    for (const word of ['RET', 'iptal', 'Dur', 'stop'])
      await expect(addInboundNumber(database.pool, account, short, word)).rejects.toThrow(/opt-out/);
    await database.pool.query(`insert into inbound_numbers (account_id, number, keyword) values ($1, $2, 'STOP')`, [
      account,
      short,
    ]);
    await deliver('Stop');
    expect(await blacklist()).toEqual([905_550_000_000]);
  });

  test('but not a sender that is no phone', async () => {
    await deliver('abc RET', {}, [], 'BANKA');
    expect(await blacklist()).toEqual([]);
    expect(await inbox()).toEqual(['abc RET']);
  });
});

test('count and page of the inbox are of one moment', async () => {
  const all = { start: null, end: null };
  await deliver('ABC bir');
  const busy = interleaved(database.pool, () => deliver('ABC iki'));
  expect(await inboxPage(busy, account, all, 1, 10)).toMatchObject({ count: 1, messages: [{ text: 'ABC bir' }] });
  expect((await inboxPage(database.pool, account, all, 1, 10)).count).toBe(2);
  expect(await inboxPage(database.pool, account, all, 2, 10)).toEqual({ count: 2, messages: [] });
});
