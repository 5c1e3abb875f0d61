/*
 * A message from a simulated phone, cut into deliver_sm: GSM-7 if it fits, else UCS-2, long texts with an 8-bit concatenation
 * header, as present phones send them. The encoder is the decoder's table inverted, so that there is one alphabet in the
 * program.
 */
import { decodeUserData } from '../../src/text/decode.ts';
import type { Outgoing } from './outgoing.ts';
import { COMMAND, ESM_HAS_HEADER } from './wire.ts';

export const INBOUND_PARTS_MAX = 255;

export type Inbound = {
  kind: 'inbound';
  from: string;
  to: string;
  userData: string;
  hasHeader: boolean;
  dataCoding: number;
  sentAtMs: number;
  settle: (status: number | 'lost') => void;
};

type AirText = { dataCoding: number; hasHeader: boolean; parts: string[] };

const CODING_DEFAULT = 0;
const CODING_UCS2 = 8;
const ESCAPE = 0x1b;
const SIZES = {
  [CODING_DEFAULT]: { single: 160, part: 153 },
  [CODING_UCS2]: { single: 140, part: 134 },
};

/* Octets of each character in the default alphabet, those of the extension with their escape. */
const septets = new Map<string, string>();
for (let code = 127; code >= 0; code--) {
  if (code === ESCAPE) continue;
  const standard = decodeUserData(Buffer.from([code]), CODING_DEFAULT, false).text;
  const extended = decodeUserData(Buffer.from([ESCAPE, code]), CODING_DEFAULT, false).text;
  if (extended.length === 1 && extended !== standard) septets.set(extended, String.fromCharCode(ESCAPE, code));
}
for (let code = 0; code < 128; code++) {
  if (code === ESCAPE) continue;
  septets.set(decodeUserData(Buffer.from([code]), CODING_DEFAULT, false).text, String.fromCharCode(code));
}

/* null if the text does not fit the 255 parts a header can count. */
export function encodeInbound(text: string, reference: number): AirText | null {
  const units = [...text];
  const isGsm7 = units.every(unit => septets.has(unit));
  const dataCoding = isGsm7 ? CODING_DEFAULT : CODING_UCS2;
  const encoded = units.map(unit =>
    isGsm7 ? septets.get(unit)! : Buffer.from(unit, 'utf16le').swap16().toString('latin1'),
  );
  const whole = encoded.join('');
  const size = SIZES[dataCoding];
  if (whole.length <= size.single) return { dataCoding, hasHeader: false, parts: [whole] };
  const bodies = fill(encoded, size.part);
  if (bodies.length > INBOUND_PARTS_MAX) return null;
  const parts = bodies.map(
    (body, index) => String.fromCharCode(5, 0, 3, reference & 0xff, bodies.length, index + 1) + body,
  );
  return { dataCoding, hasHeader: true, parts };
}

/* Never splits an escape pair or a surrogate pair: a character's octets stay together. */
function fill(characters: readonly string[], partBytes: number): string[] {
  const bodies: string[] = [];
  let body = '';
  for (const character of characters) {
    if (body.length + character.length > partBytes) {
      bodies.push(body);
      body = '';
    }
    body += character;
  }
  bodies.push(body);
  return bodies;
}

const FIXED_BYTES_MAX = 350;

export function writeInbound(out: Outgoing, sequence: number, inbound: Inbound): void {
  out.begin(COMMAND.deliverSm, 0, sequence, FIXED_BYTES_MAX);
  out.octet(0);
  out.pair(0x0101);
  out.text(inbound.from);
  out.pair(0x0101);
  out.text(inbound.to);
  out.octet(inbound.hasHeader ? ESM_HAS_HEADER : 0);
  for (let zero = 0; zero < 6; zero++) out.octet(0);
  out.octet(inbound.dataCoding);
  out.octet(0);
  out.octet(inbound.userData.length);
  out.bytes(inbound.userData);
  out.end();
}
