// The codec against hand-written octets, against truncated PDUs, and against garbage.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PduDraft } from './codec.ts';
import { decodePdu, encodePdu, pduBytesMax } from './codec.ts';
import { PduError } from './pdu-error.ts';
import type { CommandName } from './pdus.ts';
import { answerName, commandName, isResponseId, maySend, pdus } from './pdus.ts';
import { statusName } from './status.ts';
import { findTlv, numberTlv, octetsTlv, textTlv, tlvNumber, tlvText } from './tlv.ts';
import { fixtures, hex } from './wire-fixtures.ts';

function failure(frame: Buffer): PduError {
  try {
    decodePdu(frame);
  } catch (error) {
    if (error instanceof PduError) return error;
    throw error;
  }
  throw new Error('decoded');
}

/** The frame cut to `bytes` with a matching command_length, so that only the body is wrong. */
function cutTo(frame: Buffer, bytes: number): Buffer {
  const cut = Buffer.from(frame.subarray(0, bytes));
  if (bytes >= 4) cut.writeUInt32BE(bytes, 0);
  return cut;
}

describe('hand-written octets', () => {
  test('there is a fixture for every PDU of the table', () => {
    expect(new Set(fixtures.map(f => f.command))).toEqual(new Set(Object.keys(pdus)));
  });

  test.each(fixtures)('$command decodes to its fields', fixture => {
    const pdu = decodePdu(fixture.octets);
    expect(pdu).toMatchObject({
      command: fixture.command,
      status: fixture.status ?? 0,
      sequence: fixture.sequence,
    });
    expect(pdu.fields).toEqual(fixture.fields);
    expect(pdu.tlvs.map(tlv => [tlv.tag, tlv.value.toString('hex')])).toEqual(fixture.tlvs ?? []);
  });

  test.each(fixtures.filter(f => f.status !== 0x0e))('$command encodes to its octets', fixture => {
    const { command, status, sequence, fields } = fixture;
    const tlvs = fixture.tlvs?.map(([tag, value]) => ({ tag, value: Buffer.from(value, 'hex') }));
    const draft = { command, status, sequence, fields, tlvs } as PduDraft<CommandName>;
    expect(encodePdu(draft).toString('hex')).toBe(fixture.octets.toString('hex'));
  });

  test.each(fixtures)('every truncation of $command is refused by its length', ({ octets }) => {
    for (let bytes = 0; bytes < octets.length; bytes++) {
      expect(failure(octets.subarray(0, bytes))).toMatchObject({ recoverable: false, status: 0x02 });
    }
  });

  test.each(fixtures)('every $command with a shortened body decodes or fails as recoverable', fixture => {
    for (let bytes = 16; bytes < fixture.octets.length; bytes++) {
      const cut = cutTo(fixture.octets, bytes);
      try {
        const pdu = decodePdu(cut);
        expect(pdu.sequence).toBe(fixture.sequence);
      } catch (error) {
        expect(error).toBeInstanceOf(PduError);
        expect(error).toMatchObject({ recoverable: true, sequence: fixture.sequence });
      }
    }
  });

  test('a request cut inside its mandatory fields never decodes', () => {
    for (const { command, octets, tlvs } of fixtures) {
      if (isResponseId(pdus[command].id) || pdus[command].fields.length === 0) continue;
      const tlvBytes = (tlvs ?? []).reduce((sum, [, value]) => sum + 4 + value.length / 2, 0);
      for (let bytes = 16; bytes < octets.length - tlvBytes; bytes++) failure(cutTo(octets, bytes));
    }
  });
});

describe('what a bad body is answered with', () => {
  const submit = fixtures.find(f => f.command === 'submit_sm')?.octets ?? Buffer.alloc(0);
  const changed = (at: number, value: number) => {
    const frame = Buffer.from(submit);
    frame[at] = value;
    return frame;
  };

  test('a source address without NUL within 21 octets earns invalid source address', () => {
    const frame = Buffer.concat([hex('00000000 00000004 00000000 00000001 00 05 00'), Buffer.alloc(60, 0x41)]);
    expect(failure(cutTo(frame, frame.length))).toMatchObject({ status: 0x0a, recoverable: true, commandId: 4 });
  });

  test('a short_message longer than its PDU earns invalid message length', () => {
    expect(failure(changed(submit.length - 14, 0xfe))).toMatchObject({ status: 0x01 });
  });

  test('sm_length 255 earns invalid message length', () => {
    const frame = Buffer.concat([submit.subarray(0, submit.length - 14), Buffer.alloc(256, 0xff)]);
    expect(failure(cutTo(frame, frame.length))).toMatchObject({ status: 0x01 });
  });

  test('a TLV longer than its PDU earns invalid optional part', () => {
    expect(failure(changed(submit.length - 3, 3))).toMatchObject({ status: 0xc0, recoverable: true });
  });

  test('an unknown command earns invalid command id', () => {
    expect(failure(hex('00000010 00000099 00000000 00000007'))).toMatchObject({ status: 0x03, sequence: 7 });
  });

  test('a dest_flag that is neither address nor list earns invalid destination flag', () => {
    const frame = Buffer.from(fixtures.find(f => f.command === 'submit_multi')?.octets ?? Buffer.alloc(0));
    frame[22] = 3;
    expect(failure(frame)).toMatchObject({ status: 0x40 });
  });
});

describe('responses are read leniently', () => {
  test('a submit_sm_resp without a body has an empty message id', () => {
    expect(decodePdu(hex('00000010 80000004 00000000 00000002')).fields).toEqual({ messageId: '' });
  });

  test('an error answer without a body has empty fields of every kind', () => {
    const query = decodePdu(hex('00000010 80000003 00000067 00000002'));
    expect(query.fields).toEqual({ messageId: '', finalDate: '', messageState: 0, errorCode: 0 });
    const multi = decodePdu(hex('00000010 80000021 00000045 00000002'));
    expect(multi.fields).toEqual({ messageId: '', unsuccessSmes: [] });
  });

  test("the PDU's end also ends a string", () => {
    const pdu = decodePdu(hex('00000012 80000009 00000000 00000002 61 62'));
    expect(pdu.fields).toEqual({ systemId: 'ab' });
  });
});

describe('values that do not fit are refused when encoding', () => {
  const encode = (fields: PduDraft<'submit_sm'>['fields']) => encodePdu({ command: 'submit_sm', sequence: 1, fields });

  test.each([
    ['a destination of 21 characters', { destinationAddr: '9'.repeat(21) }, 0x0b],
    ['a sender with a character beyond Latin-1', { sourceAddr: 'ŞİRKET' }, 0x0a],
    ['a sender with a NUL', { sourceAddr: 'A\0B' }, 0x0a],
    ['a short_message of 255 octets', { shortMessage: Buffer.alloc(255) }, 0x01],
    ['an esm_class of 256', { esmClass: 256 }, 0x43],
  ])('%s', (_name, fields, status) => {
    expect(() => encode(fields)).toThrow(expect.objectContaining({ name: 'PduError', status }));
  });

  test('TLVs beyond the greatest PDU', () => {
    const tlvs = [octetsTlv('message_payload', Buffer.alloc(pduBytesMax - 30))];
    expect(() => encodePdu({ command: 'submit_sm', sequence: 1, tlvs })).toThrow(PduError);
  });
});

describe('TLVs', () => {
  const tlvs = [numberTlv('sar_msg_ref_num', 0x1234, 2), textTlv('receipted_message_id', 'x1')];

  test('are found by name and read by width', () => {
    expect(tlvNumber(tlvs, 'sar_msg_ref_num')).toBe(0x1234);
    expect(tlvText(tlvs, 'receipted_message_id')).toBe('x1');
    expect(findTlv(tlvs, 'message_payload')).toBeUndefined();
  });

  test('a number of a width no integer has reads as absent', () => {
    expect(tlvNumber([octetsTlv('message_state', Buffer.from([1, 2, 3]))], 'message_state')).toBeUndefined();
  });

  test('a text without its NUL is whole', () => {
    expect(tlvText([octetsTlv('receipted_message_id', Buffer.from('x2'))], 'receipted_message_id')).toBe('x2');
  });
});

describe('the table', () => {
  test('the hand-written reader of messages has the fields of the table, in its order', () => {
    for (const command of ['submit_sm', 'deliver_sm'] as const) {
      const names = pdus[command].fields.map(field => field.name);
      const fields = Object.fromEntries(
        pdus[command].fields.map((field, i) => {
          const value = { u8: i + 1, cstring: `v${i}`, octets: Buffer.from(`v${i}`) }[field.kind];
          return [field.name, value];
        }),
      );
      const pdu = decodePdu(encodePdu({ command, sequence: 1, fields } as PduDraft<'submit_sm'>));
      expect(pdu.fields).toEqual(fields);
      expect(Object.keys(pdu.fields)).toEqual(names);
    }
  });

  test('every response has the id of its request with bit 31 set', () => {
    for (const name of Object.keys(pdus) as CommandName[]) {
      const answer = answerName(name);
      if (answer !== undefined) expect(pdus[answer].id).toBe((pdus[name].id | 0x80000000) >>> 0);
      expect(commandName(pdus[name].id)).toBe(name);
    }
  });

  test.each([
    ['submit_sm', 'esme', 'transmitter', true],
    ['submit_sm', 'esme', 'receiver', false],
    ['submit_sm', 'esme', null, false],
    ['submit_sm', 'smsc', 'transceiver', false],
    ['deliver_sm', 'smsc', 'receiver', true],
    ['deliver_sm', 'smsc', 'transmitter', false],
    ['data_sm', 'smsc', 'transceiver', true],
    ['data_sm', 'esme', 'receiver', false],
    ['bind_receiver', 'esme', null, true],
    ['bind_receiver', 'esme', 'receiver', false],
    ['enquire_link', 'smsc', null, true],
    ['unbind', 'smsc', null, false],
    ['unbind', 'esme', 'receiver', true],
  ] as const)('%s from %s bound %s: %s', (command, side, bound, allowed) => {
    expect(maySend(command, side, bound)).toBe(allowed);
  });

  test('a status is shown by its name, or in hex when the standard has none', () => {
    expect(statusName(0x58)).toBe('ESME_RTHROTTLED');
    expect(statusName(0x400)).toBe('0x00000400');
  });
});

describe('fuzz', () => {
  /** The decoder throws nothing but PduError. */
  const survives = (frame: Buffer): boolean => {
    try {
      decodePdu(frame);
      return true;
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      return false;
    }
  };

  test('any octets behind any command id decode or fail with a PduError', () => {
    const ids = fc.constantFrom(...Object.values(pdus).map(spec => spec.id));
    fc.assert(
      fc.property(ids, fc.uint8Array({ maxLength: 400 }), (id, body) => {
        const frame = Buffer.alloc(16 + body.length);
        frame.writeUInt32BE(frame.length, 0);
        frame.writeUInt32BE(id, 4);
        frame.set(body, 16);
        survives(frame);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what was decoded encodes and decodes to the same again', () => {
    const ids = fc.constantFrom(...Object.values(pdus).map(spec => spec.id));
    fc.assert(
      fc.property(ids, fc.uint8Array({ maxLength: 100 }), (id, body) => {
        const frame = Buffer.alloc(16 + body.length);
        frame.writeUInt32BE(frame.length, 0);
        frame.writeUInt32BE(id, 4);
        frame.set(body, 16);
        if (!survives(frame)) return;
        const pdu = decodePdu(frame);
        expect(decodePdu(encodePdu(pdu as PduDraft<CommandName>))).toEqual(pdu);
      }),
      { numRuns: 2_000 },
    );
  });

  test('50,000 mutated PDUs decode or fail with a PduError', () => {
    let seed = 0x5eed;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >>> 8) % below;
    };
    let decoded = 0;
    for (let i = 0; i < 50_000; i++) {
      const { octets } = fixtures[random(fixtures.length)] ?? fixtures[0]!;
      const frame = cutTo(octets, random(4) === 0 ? 16 + random(octets.length - 15) : octets.length);
      for (let left = 1 + random(4); left > 0 && frame.length > 4; left--) {
        frame[4 + random(frame.length - 4)] = random(256);
      }
      if (survives(frame)) decoded++;
    }
    expect(decoded).toBeGreaterThan(1_000);
    expect(decoded).toBeLessThan(50_000);
  });
});
