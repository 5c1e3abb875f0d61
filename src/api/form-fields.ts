// URL-encoded fields as bytes: XML clients post their document in such a field, and send-sms/get takes nothing else. Bytes,
// because which letters they stand for is only known later (old Turkish software encodes windows-1254, not UTF-8).
import { Refusal } from '../status.ts';

export const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

const fieldsMax = 100;

/** The wanted fields that are there. One given twice is 400: taking either would be a guess. */
export function readFields(encoded: string, wanted: readonly string[]): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const field of encoded.split('&', fieldsMax)) {
    const equals = field.indexOf('=');
    if (equals < 1) continue;
    const name = decodeField(field.slice(0, equals)).toString('utf8');
    if (!wanted.includes(name)) continue;
    if (found.has(name)) throw new Refusal(400);
    found.set(name, decodeField(field.slice(equals + 1)));
  }
  return found;
}

const percent = 0x25;
const plus = 0x2b;
const blank = 0x20;

/** A percent sign that starts no octet stands for itself, as browsers read it. */
function decodeField(encoded: string): Buffer {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let i = 0; i < encoded.length; i++) {
    const code = encoded.charCodeAt(i);
    const octet = code === percent ? hexOctet(encoded, i + 1) : -1;
    if (octet >= 0) i += 2;
    bytes[length++] = octet >= 0 ? octet : code === plus ? blank : code;
  }
  return bytes.subarray(0, length);
}

function hexOctet(encoded: string, at: number): number {
  const high = hexDigit(encoded.charCodeAt(at));
  const low = hexDigit(encoded.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Also -1 past the end, where the code is NaN. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
