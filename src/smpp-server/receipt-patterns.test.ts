// Bodies that are written into a pattern are, octet by octet, those that are encoded for themselves.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliverBody } from './deliver-body.ts';
import type { Owed } from './owed.ts';

const userMessageReferenceBytes = 6;

/** One with a reference has no pattern; without its last TLV it is what the other must be. */
function encoded(owed: Owed): Buffer {
  const whole = Buffer.from(deliverBody({ ...owed, origin: { u: 1, r: 1, umr: 7 } })!);
  return whole.subarray(0, whole.length - userMessageReferenceBytes);
}

const minutes = fc.integer({ min: 0, max: 2 }).map(n => new Date(Date.UTC(2026, 10, 18, 9, 58 + n, n)));
const owed: fc.Arbitrary<Owed> = fc.record({
  id: fc.constant(1),
  bundle: fc.constant(null),
  at: fc.constant(0),
  userId: fc.constant(1),
  tries: fc.constant(0),
  smppId: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100_000_000, max: 100_000_999 })),
  status: fc.constantFrom(111, 112),
  reason: fc.constantFrom(0, 10, 11, 14, 4_001),
  doneAt: minutes,
  submitAt: fc.option(minutes),
  sender: fc.constantFrom('PEYK', 'id:1 sub:001', '7889', '908500000000', 'ŞİRKET'),
  number: fc.oneof(
    fc.integer({ min: 905_550_000_000, max: 905_550_000_099 }).map(String),
    fc.constantFrom('5550000000', '+905550000000', '90555000000a', '4915550000000000000000000', '7889'),
  ),
  origin: fc.constant({ u: 1, r: 1 as const }),
  text: fc.constant(null),
});

test('a receipt told in the form of another is the one that would have been told alone', () => {
  fc.assert(
    fc.property(fc.array(owed, { minLength: 1, maxLength: 40 }), list => {
      for (const one of list) expect(deliverBody(one)!.toString('latin1')).toBe(encoded(one).toString('latin1'));
    }),
  );
});
