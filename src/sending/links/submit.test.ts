// From a text to the octets of submit_sm, decoded by an independent reader.
import { expect, test } from 'vitest';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { decodePdu, type PduOf } from '../../smpp/codec.ts';
import { tlvNumber } from '../../smpp/tlv.ts';
import { decodeUserData } from '../../text/decode.ts';
import type { Wording } from '../http/template.ts';
import { Templates } from './submit.ts';

const carrier = {
  id: 1,
  changedAt: new Date(0),
  sourceTon: 5,
  sourceNpi: 0,
  destinationTon: 1,
  destinationNpi: 1,
  dataCoding: 0,
  longMessages: 'udh',
  validitySeconds: 2 * 86_400 + 3 * 3_600 + 4 * 60 + 5,
} as CarrierWithPassword;

function submits(text: string, encoding: Wording['encoding'], by = carrier, messageId = 1_000) {
  return new Templates('B186').of(by, { sender: 'PEYK', text, encoding }).map(part => {
    const body = part.encode('905550000000', messageId) as Buffer;
    const header = Buffer.alloc(16);
    header.writeUInt32BE(16 + body.length, 0);
    header.writeUInt32BE(4, 4);
    header.writeUInt32BE(1, 12);
    return decodePdu(Buffer.concat([header, body])) as PduOf<'submit_sm'>;
  });
}

function textOf(pdus: PduOf<'submit_sm'>[]): string {
  return pdus
    .map(({ fields }) => decodeUserData(fields.shortMessage, fields.dataCoding, (fields.esmClass & 0x40) !== 0).text)
    .join('');
}

test('a short text is one submit with the sender, a receipt wanted and the validity in relative form', () => {
  const [only, ...more] = submits('Merhaba', 'gsm7');
  expect(more).toEqual([]);
  expect(only!.fields).toMatchObject({
    sourceAddr: 'PEYK',
    sourceAddrTon: 5,
    destinationAddr: '905550000000',
    destAddrTon: 1,
    registeredDelivery: 1,
    esmClass: 0,
    dataCoding: 0,
    validityPeriod: '000002030405000R',
  });
  expect(textOf([only!])).toBe('Merhaba B186');
});

test.each([
  ['gsm7', 'Uzun metin. '.repeat(30).trim(), 3],
  ['turkish-locking', 'Çağrı ığüşöç. '.repeat(30).trim(), 3],
  ['ucs2', '😀 güle güle '.repeat(15).trim(), 3],
] as const)(
  'a long text in %s carries its parts in a header, with the reference of its message',
  (encoding, text, count) => {
    const pdus = submits(text, encoding, carrier, 0x1_2345);
    expect(pdus).toHaveLength(count);
    for (const [i, { fields }] of pdus.entries()) {
      expect(fields.esmClass).toBe(0x40);
      const { concat } = decodeUserData(fields.shortMessage, fields.dataCoding, true);
      expect(concat).toEqual({ reference: 0x45, total: count, sequence: i + 1 });
    }
    expect(textOf(pdus)).toBe(`${text} B186`);
  },
);

test('for a carrier with SAR parameters, parts are numbered outside of the text', () => {
  const text = 'Uzun metin. '.repeat(30).trim();
  const pdus = submits(text, 'gsm7', { ...carrier, longMessages: 'sar' }, 0x1_2345);
  expect(pdus.map(one => [one.fields.esmClass, tlvNumber(one.tlvs, 'sar_segment_seqnum')])).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  for (const one of pdus) {
    expect(tlvNumber(one.tlvs, 'sar_total_segments')).toBe(3);
    expect(tlvNumber(one.tlvs, 'sar_msg_ref_num')).toBe(0x1_2345 % 256);
  }
  expect(textOf(pdus)).toBe(`${text} B186`);
});

test('two long messages to one phone have different references', () => {
  const reference = (id: number) => submits('x'.repeat(300), 'gsm7', carrier, id)[0]!.fields.shortMessage[3];
  expect(reference(1_000)).not.toBe(reference(1_001));
});

test('a text is encoded once while its carrier stays the same', () => {
  const templates = new Templates('');
  const wording: Wording = { sender: 'PEYK', text: 'Merhaba', encoding: 'gsm7' };
  const first = templates.of(carrier, wording);
  expect(templates.of(carrier, wording)).toBe(first);
  expect(templates.of({ ...carrier, changedAt: new Date(1) }, wording)).not.toBe(first);
  expect(templates.of(carrier, { ...wording, sender: 'PEYK2' })).not.toBe(first);
});
