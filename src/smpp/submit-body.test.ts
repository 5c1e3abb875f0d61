// The fast encoder writes the same octets as the table-driven one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePdu } from './codec.ts';
import { PduError } from './pdu-error.ts';
import { submitTemplate } from './submit-body.ts';
import { numberTlv } from './tlv.ts';

const text = (max: number) => fc.string({ unit: 'grapheme-ascii', maxLength: max }).filter(s => !s.includes('\0'));
const octet = fc.integer({ min: 0, max: 255 });

test('a template gives the same octets as the codec, for any fields', () => {
  const fields = fc.record({
    serviceType: text(5),
    sourceAddrTon: octet,
    sourceAddr: text(20),
    esmClass: octet,
    validityPeriod: text(16),
    dataCoding: octet,
    shortMessage: fc.uint8Array({ maxLength: 254 }).map(octets => Buffer.from(octets)),
  });
  fc.assert(
    fc.property(fields, fc.stringMatching(/^\d{1,20}$/), fc.boolean(), (given, destinationAddr, withTlv) => {
      const tlvs = withTlv ? [numberTlv('sar_msg_ref_num', 7, 2)] : [];
      const whole = encodePdu({ command: 'submit_sm', sequence: 1, fields: { ...given, destinationAddr }, tlvs });
      expect(submitTemplate(given, tlvs).encode(destinationAddr)).toEqual(whole.subarray(16));
    }),
    { numRuns: 500 },
  );
});

test('a patch changes one octet of short_message and leaves the template alone', () => {
  const shortMessage = Buffer.from('050003000201414243', 'hex');
  const tlvs = [numberTlv('user_message_reference', 1, 2)];
  const template = submitTemplate({ sourceAddr: 'PEYK', shortMessage }, tlvs);
  const patched = Buffer.from(shortMessage);
  patched[3] = 0xcc;
  const wanted = submitTemplate({ sourceAddr: 'PEYK', shortMessage: patched }, tlvs).encode('905550000000');
  const plain = template.encode('905550000000');
  expect(template.encode('905550000000', { offset: 3, value: 0xcc })).toEqual(wanted);
  expect(template.encode('905550000000')).toEqual(plain);
});

test.each(['', '9'.repeat(21), '90\x00555', '٩٠٥'])('destination %j is refused', destination => {
  expect(() => submitTemplate({}).encode(destination)).toThrow(PduError);
});

test('a patch behind the end of short_message is refused', () => {
  const template = submitTemplate({ shortMessage: Buffer.from('abc') });
  expect(() => template.encode('905550000000', { offset: 3, value: 0 })).toThrow(RangeError);
});
