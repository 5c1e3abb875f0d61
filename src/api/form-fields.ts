// Reads form fields as bytes, URL-encoded or multipart: XML clients post their document in such a field, and send-sms/get takes
// little else. The encoding of the bytes is only known later (old Turkish software sends windows-1254, not UTF-8).
import { Refusal } from '../status.ts';

const fieldsMax = 100;
const nameBytesMax = 200;

/** Returns the wanted fields that are present. A field given twice is 400, because choosing one would be a guess. */
type Fields = Map<string, Buffer>;

/** The body itself shows which of the two formats it has. PHP writes multipart whatever content type its caller sets. */
export function readFields(body: Buffer, wanted: readonly string[]): Fields {
  return isMultipart(body) ? readParts(body, wanted) : readEncoded(body, wanted);
}

export function readEncoded(encoded: Buffer, wanted: readonly string[]): Fields {
  const found: Fields = new Map();
  for (let at = 0, fields = 0; at < encoded.length && fields < fieldsMax; fields++) {
    const next = encoded.indexOf('&', at);
    const field = encoded.subarray(at, next < 0 ? encoded.length : next);
    at += field.length + 1;
    const equals = field.indexOf('=');
    if (equals < 1 || equals > nameBytesMax) continue;
    const name = decodeField(field.subarray(0, equals)).toString('utf8');
    if (wanted.includes(name)) add(found, name, decodeField(field.subarray(equals + 1)));
  }
  return found;
}

function add(found: Fields, name: string, value: Buffer): void {
  if (found.has(name)) throw new Refusal(400);
  found.set(name, value);
}

const dash = 0x2d;
const lineEnd = '\r\n';
const boundaryBytesMax = 200;
const headBytesMax = 2_000;

export function isMultipart(body: Buffer): boolean {
  return body[0] === dash && body[1] === dash;
}

/** The first line is the boundary, whatever the header says. A part without an end is ignored. */
function readParts(body: Buffer, wanted: readonly string[]): Fields {
  const found: Fields = new Map();
  let at = body.indexOf(lineEnd);
  if (at < 3 || at > boundaryBytesMax) return found;
  const boundary = Buffer.concat([Buffer.from(lineEnd), body.subarray(0, at)]);
  for (let parts = 0; parts < fieldsMax; parts++) {
    const headEnd = body.subarray(0, at + headBytesMax).indexOf(lineEnd + lineEnd, at);
    const end = headEnd < 0 ? -1 : body.indexOf(boundary, headEnd + lineEnd.length);
    if (end < 0) break;
    const name = /;\s*name="?([^";\r\n]*)/i.exec(body.toString('latin1', at, headEnd))?.[1];
    if (name !== undefined && wanted.includes(name)) add(found, name, body.subarray(headEnd + 4, end));
    at = end + boundary.length;
  }
  return found;
}

const percent = 0x25;
const plus = 0x2b;
const blank = 0x20;

/** A percent sign that starts no escape stands for itself, as in browsers. */
export function decodeField(encoded: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let i = 0; i < encoded.length; i++) {
    const code = encoded[i]!;
    const octet = code === percent ? hexOctet(encoded, i + 1) : -1;
    if (octet >= 0) i += 2;
    bytes[length++] = octet >= 0 ? octet : code === plus ? blank : code;
  }
  return bytes.subarray(0, length);
}

function hexOctet(encoded: Buffer, at: number): number {
  if (at + 1 >= encoded.length) return -1;
  const high = hexDigit(encoded[at]!);
  const low = hexDigit(encoded[at + 1]!);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
