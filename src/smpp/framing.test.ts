// The framer must give the same frames however the stream is cut, and stop at lengths no PDU can have.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Framer } from './framing.ts';
import { PduError } from './pdu-error.ts';
import { fixtures } from './wire-fixtures.ts';

const stream = Buffer.concat(fixtures.map(f => f.octets));
const wanted = fixtures.map(f => f.octets.toString('hex'));

function framesOf(framer: Framer, chunks: Iterable<Buffer>): string[] {
  const frames: string[] = [];
  for (const chunk of chunks) {
    framer.push(chunk);
    while (framer.next()) frames.push(framer.buffer.toString('hex', framer.start, framer.end));
  }
  return frames;
}

describe('framing', () => {
  test('one chunk gives every frame, in place', () => {
    const framer = new Framer(65_536);
    framer.push(stream);
    let count = 0;
    while (framer.next()) {
      expect(framer.buffer).toBe(stream);
      count++;
    }
    expect(count).toBe(fixtures.length);
    expect(framer.backlogBytes()).toBe(0);
  });

  test('one octet at a time gives the same frames', () => {
    const octets = Array.from(stream, octet => Buffer.from([octet]));
    expect(framesOf(new Framer(65_536), octets)).toEqual(wanted);
  });

  test('any cut of the stream gives the same frames', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 60 }), sizes => {
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        expect(framesOf(new Framer(65_536), chunks)).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  test('a chunk pushed before the last one is used up is not lost', () => {
    const framer = new Framer(65_536);
    framer.push(stream.subarray(0, 100));
    expect(framer.next()).toBe(true);
    const first = framer.buffer.toString('hex', framer.start, framer.end);
    framer.push(stream.subarray(100));
    const rest: string[] = [];
    while (framer.next()) rest.push(framer.buffer.toString('hex', framer.start, framer.end));
    expect([first, ...rest]).toEqual(wanted);
  });

  test.each([
    ['0', '00000000'],
    ['15', '0000000f'],
    ['one above the bound', '00010001'],
    ['the first word of an HTTP request', Buffer.from('GET ').toString('hex')],
    ['4 GB', 'ffffffff'],
  ])('a command_length of %s is fatal as soon as it is read', (_name, length) => {
    const framer = new Framer(65_536);
    framer.push(Buffer.from(length, 'hex'));
    expect(() => framer.next()).toThrow(expect.objectContaining({ recoverable: false, status: 0x02 }));
  });

  test('a bad length cut in two is fatal too', () => {
    const framer = new Framer(65_536);
    framer.push(Buffer.from('00', 'hex'));
    expect(framer.next()).toBe(false);
    framer.push(Buffer.from('000003', 'hex'));
    expect(() => framer.next()).toThrow(PduError);
  });

  test('a frame of exactly the bound is given', () => {
    const frame = Buffer.alloc(64);
    frame.writeUInt32BE(64, 0);
    expect(framesOf(new Framer(64), [frame.subarray(0, 10), frame.subarray(10)])).toEqual([frame.toString('hex')]);
  });
});
