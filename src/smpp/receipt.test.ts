// Receipts as carriers really write them, and texts that are not receipts.
import { describe, expect, test } from 'vitest';
import type { PduOf } from './codec.ts';
import { decodePdu, encodePdu } from './codec.ts';
import { formatReceipt, parseReceipt, receiptStates } from './receipt.ts';
import type { Tlv } from './tlv.ts';
import { numberTlv, octetsTlv, textTlv } from './tlv.ts';
import { fixtures } from './wire-fixtures.ts';

function deliver(text: string | Buffer, esmClass = 0x04, tlvs: Tlv[] = [], dataCoding = 0): PduOf<'deliver_sm'> {
  const shortMessage = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const frame = encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    fields: { esmClass, dataCoding, shortMessage },
    tlvs,
  });
  return decodePdu(frame) as PduOf<'deliver_sm'>;
}

describe('text', () => {
  const appendixB =
    'id:0123456789 sub:001 dlvrd:001 submit date:2601020304 done date:2601020305 stat:DELIVRD err:000 text:Merhaba';

  test.each([
    ['the form of appendix B', appendixB, '0123456789', 'DELIVRD', '000', '2601020305'],
    [
      'dates without a blank in their names, with seconds',
      'id:ab-12 sub:001 dlvrd:000 submitdate:260102030405 donedate:260102030506 stat:UNDELIV err:27 text:',
      'ab-12',
      'UNDELIV',
      '27',
      '260102030506',
    ],
    [
      'commas between the fields',
      'id:77,sub:001,dlvrd:000,submit date:2601020304,done date:2601020305,stat:EXPIRED,err:2048,text:x',
      '77',
      'EXPIRED',
      '2048',
      '2601020305',
    ],
    [
      'capital keys, blanks behind the colons',
      'ID: 5 SUB: 1 DONE DATE: 2601020305 STAT: rejectd ERR: 0a1',
      '5',
      'REJECTD',
      '0a1',
      '2601020305',
    ],
    ['a state written out', 'id:5 stat:DELIVERED err:0', '5', 'DELIVRD', '0', null],
    ['a state nobody knows', 'id:5 stat:HMMM', '5', 'UNKNOWN', '', null],
    ['a state that only begins like a known one', 'id:5 stat:DELIVRD2', '5', 'UNKNOWN', '', null],
    ['a word that SMPP does not know', 'id:5 stat:FAILED', '5', 'UNKNOWN', '', null],
    ['an id only', 'id:5', '5', 'UNKNOWN', '', null],
    ['values left out', 'id: sub:001 submit date: done date: stat: err: text:', '', 'UNKNOWN', '', null],
    ['no known key at all', 'hello', '', 'UNKNOWN', '', null],
    ['nothing', '', '', 'UNKNOWN', '', null],
  ])('%s', (_name, text, messageId, state, error, doneDate) => {
    expect(parseReceipt(deliver(text))).toMatchObject({ messageId, state, error, doneDate });
  });

  test('the form of appendix B is read like the same fields in another order', () => {
    const other =
      'stat:DELIVRD err:000 id:0123456789 sub:001 dlvrd:001 submit date:2601020304 done date:2601020305 text:id:9';
    for (const text of [appendixB, appendixB.replace(' text:Merhaba', '')])
      expect(parseReceipt(deliver(text))).toEqual(parseReceipt(deliver(other)));
  });

  test('keys inside the quoted message count for nothing', () => {
    const text = 'id:5 stat:UNDELIV text:id:9 stat:DELIVRD err:1 done date:2601020305';
    const wanted = { messageId: '5', state: 'UNDELIV', word: 'UNDELIV', error: '', doneDate: null };
    expect(parseReceipt(deliver(text))).toEqual(wanted);
  });

  test('ASCII marked as UCS-2 is read as ASCII', () => {
    expect(parseReceipt(deliver(appendixB, 0x04, [], 8))).toMatchObject({ messageId: '0123456789', state: 'DELIVRD' });
  });

  test('real UCS-2 is read too', () => {
    const wide = Buffer.from('id:5 stat:EXPIRED', 'utf16le').swap16();
    expect(parseReceipt(deliver(wide, 0x04, [], 8))).toMatchObject({ messageId: '5', state: 'EXPIRED' });
  });

  test('a text in message_payload is read', () => {
    const tlvs = [octetsTlv('message_payload', Buffer.from(appendixB))];
    expect(parseReceipt(deliver('', 0x04, tlvs))).toMatchObject({ messageId: '0123456789' });
  });

  test('a header in front of the text is skipped', () => {
    const text = Buffer.concat([
      Buffer.from('0500030102 01'.replace(' ', ''), 'hex'),
      Buffer.from('id:5 stat:DELIVRD'),
    ]);
    expect(parseReceipt(deliver(text, 0x44))).toMatchObject({ messageId: '5', state: 'DELIVRD' });
  });
});

describe('TLVs', () => {
  test('beat the text', () => {
    const pdu = decodePdu(fixtures.find(f => f.command === 'deliver_sm')!.octets) as PduOf<'deliver_sm'>;
    expect(parseReceipt(pdu)).toMatchObject({ messageId: 'ab12', state: 'DELIVRD', error: '034', doneDate: null });
  });

  test('make a receipt of a PDU whose esm_class says nothing', () => {
    const tlvs = [textTlv('receipted_message_id', 'x'), numberTlv('message_state', 8, 1)];
    expect(parseReceipt(deliver('', 0, tlvs))).toMatchObject({ messageId: 'x', state: 'REJECTD' });
  });

  test('a message_state out of range leaves the word to the text', () => {
    const tlvs = [numberTlv('message_state', 9, 1)];
    expect(parseReceipt(deliver('id:5 stat:DELIVRD', 0x04, tlvs))).toMatchObject({ state: 'DELIVRD' });
  });

  test('a data_sm can carry a receipt', () => {
    const tlvs = [textTlv('receipted_message_id', 'x'), numberTlv('message_state', 2, 1)];
    const frame = encodePdu({ command: 'data_sm', sequence: 1, fields: { esmClass: 4 }, tlvs });
    expect(parseReceipt(decodePdu(frame) as PduOf<'data_sm'>)).toMatchObject({ messageId: 'x', state: 'DELIVRD' });
  });
});

test.each([
  ['a word of the carrier, in plain characters', 'id:5 stat:h\u00e9ld\u0007 err:0', [], 'H?LD?'],
  ['a word without end', `id:5 stat:${'x'.repeat(200)}`, [], 'X'.repeat(20)],
  ['a number outside the standard', 'id:5', [numberTlv('message_state', 9, 1)], 'message_state 9'],
  ['none', 'id:5', [], ''],
])('an intermediate state is passed on unchanged: %s', (_name, text, tlvs, word) => {
  expect(parseReceipt(deliver(text, 0x04, tlvs))).toMatchObject({ state: 'UNKNOWN', word });
});

test('an ordinary message is no receipt, even when it reads like one', () => {
  expect(parseReceipt(deliver('id:5 stat:DELIVRD', 0x00))).toBeNull();
  expect(parseReceipt(deliver('RET', 0x40))).toBeNull();
});

test('an intermediate notification is a receipt', () => {
  expect(parseReceipt(deliver('id:5 stat:ENROUTE', 0x20))).toMatchObject({ messageId: '5', state: 'ENROUTE' });
});

test.each(receiptStates)('a receipt written with state %s is read back, from text and from TLVs', state => {
  const draft = {
    messageId: 'ab12',
    state,
    error: '027',
    submitDate: new Date('2026-01-02T00:04:00Z'),
    doneDate: new Date('2026-01-01T22:05:00Z'),
    text: 'id:9 stat:DELIVRD',
    utcOffsetMinutes: 180,
  };
  const wanted = { messageId: 'ab12', state, word: state, error: '027', doneDate: '2601020105' };
  const plain = formatReceipt(draft);
  const tagged = formatReceipt({ ...draft, withTlvs: true });
  expect(plain.tlvs).toEqual([]);
  expect(parseReceipt(deliver(plain.fields.shortMessage, plain.fields.esmClass))).toEqual(wanted);
  expect(parseReceipt(deliver(tagged.fields.shortMessage, 0x04, tagged.tlvs))).toEqual(wanted);
  expect(parseReceipt(deliver('', 0x04, tagged.tlvs))).toEqual({ ...wanted, doneDate: null });
});

test('a receipt is written to the letter: delivered or not, dates, the quoted text, and a network error only for a number', () => {
  const dates = { submitDate: new Date('2026-01-02T00:04:00Z'), doneDate: new Date('2026-01-02T00:05:00Z') };
  const draft = { messageId: '7', ...dates, withTlvs: true };
  const written = ({ fields }: ReturnType<typeof formatReceipt>) => fields.shortMessage.toString('latin1');
  const delivered = formatReceipt({ ...draft, state: 'DELIVRD', text: 'Merhaba, bu yirmi harften uzun' });
  const when = 'submit date:2601020004 done date:2601020005';
  expect(written(delivered)).toBe(`id:7 sub:001 dlvrd:001 ${when} stat:DELIVRD err:000 text:Merhaba, bu yirmi ha`);
  expect(delivered.tlvs).toHaveLength(3);
  expect(delivered.tlvs).toContainEqual(octetsTlv('network_error_code', Buffer.from([3, 0, 0])));
  const failed = formatReceipt({ ...draft, state: 'UNDELIV', error: 'abc' });
  expect(written(failed)).toBe(`id:7 sub:001 dlvrd:000 ${when} stat:UNDELIV err:abc text:`);
  expect(failed.tlvs).toHaveLength(2);
});
