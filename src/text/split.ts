// Splits a prepared text into parts for the air (3GPP TS 23.038 and 23.040), with the operator code once at its end. Bytes are
// as SMPP wants them: one septet per byte, unpacked; the network packs. A header still counts against the 140 packed bytes,
// which explains the limits below.
import type { Encoding, SeptetEncoding } from './alphabets.ts';
import { codeIn, ESC, ESCAPED, LOOKUPS } from './alphabets.ts';

export type AirPart = {
  /** The user data header, if any, and the payload. */
  userData: Buffer;
  hasHeader: boolean;
  dataCoding: 0 | 8;
  /** Position of the concatenation reference in userData, which the sender fills in; -1 if there is none. */
  referenceOffset: number;
  part: number;
  parts: number;
};

// Units of payload: alone (with the shift header if the encoding needs one), and with a concatenation header.
const AIR = {
  gsm7: { single: 160, concatenated: 153, dataCoding: 0, shift: [] },
  'turkish-locking': { single: 155, concatenated: 149, dataCoding: 0, shift: [0x25, 1, 1] },
  'turkish-single': { single: 155, concatenated: 149, dataCoding: 0, shift: [0x24, 1, 1] },
  ucs2: { single: 70, concatenated: 67, dataCoding: 8, shift: [] },
} as const satisfies Record<Encoding, object>;

// The header counts parts in one byte. The callers' own limit (7 charged parts) is far below.
const airPartsMax = 255;
// Header length octet, element 0x00, its length, then the reference.
const concatReferenceOffset = 3;
const QUESTION_MARK = 0x3f;

/** With 'sar' the sender passes reference, total and sequence beside the message; the cuts stay the same. */
export function splitForAir(
  text: string,
  encoding: Encoding,
  operatorCode: string,
  how: 'udh' | 'sar' = 'udh',
): AirPart[] {
  const whole = operatorCode === '' ? text : `${text} ${operatorCode}`;
  const payloads = encoding === 'ucs2' ? cutUcs2(whole) : cutSeptets(toSeptets(whole, encoding), encoding);
  const parts = payloads.length;
  if (parts > airPartsMax) throw new RangeError(`${parts} parts do not fit one message`);
  const { dataCoding, shift } = AIR[encoding];
  const hasConcat = how === 'udh' && parts > 1;
  return payloads.map((payload, index) => {
    const elements = hasConcat ? [0x00, 3, 0, parts, index + 1, ...shift] : [...shift];
    const hasHeader = elements.length > 0;
    return {
      userData: hasHeader ? Buffer.concat([Buffer.from([elements.length, ...elements]), payload]) : payload,
      hasHeader,
      dataCoding,
      referenceOffset: hasConcat ? concatReferenceOffset : -1,
      part: index + 1,
      parts,
    };
  });
}

// A prepared text fits its encoding, but an operator code outside GSM-7 would not. It must not stop all sending, so its
// characters become question marks.
function toSeptets(text: string, encoding: SeptetEncoding): Buffer {
  const lookup = LOOKUPS[encoding];
  const septets = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codeIn(lookup, text.charCodeAt(i));
    if (code >= ESCAPED) septets[length++] = ESC;
    septets[length++] = code < 0 ? QUESTION_MARK : code % ESCAPED;
  }
  return septets.subarray(0, length);
}

function cutSeptets(septets: Buffer, encoding: SeptetEncoding): Buffer[] {
  return cut(septets.length, encoding, end => septets[end - 1] === ESC).map(([from, to]) => septets.subarray(from, to));
}

function cutUcs2(text: string): Buffer[] {
  const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
  return cut(text.length, 'ucs2', end => isLowSurrogate(text.charCodeAt(end))).map(([from, to]) =>
    Buffer.from(text.slice(from, to), 'utf16le').swap16(),
  );
}

// Greedy; a part ends one unit early rather than between the halves of a character.
function cut(length: number, encoding: Encoding, splitsCharacter: (end: number) => boolean): [number, number][] {
  const { single, concatenated } = AIR[encoding];
  if (length <= single) return [[0, length]];
  const ranges: [number, number][] = [];
  for (let from = 0; from < length; ) {
    let to = Math.min(from + concatenated, length);
    if (to < length && splitsCharacter(to)) to--;
    ranges.push([from, to]);
    from = to;
  }
  return ranges;
}
