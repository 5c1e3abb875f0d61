// Finds the request document in a body. Clients post it as the body itself, in a form field `data` (URL-encoded, unencoded or
// multipart), or URL-encoded without a name, with any content type or none. So the bytes decide, not the header.
import { decodeField, isMultipart, readEncoded, readFields } from './form-fields.ts';

type DocumentKind = 'json' | 'xml' | null;

// White space, and the three bytes of a byte order mark.
const before = new Set([0x20, 0x09, 0x0d, 0x0a, 0xef, 0xbb, 0xbf]);
const kinds: Record<number, DocumentKind> = { 123: 'json', 60: 'xml' };

// Bounds the search: a body may be 32 MB of white space.
const layoutBytesMax = 10_000;

/** Decides by the first character that is not white space: `{` or `<`. */
export function kindOf(bytes: Buffer): DocumentKind {
  return kinds[withoutLayout(bytes)[0]!] ?? null;
}

export function withoutLayout(bytes: Buffer): Buffer {
  let at = 0;
  while (at < layoutBytesMax && before.has(bytes[at]!)) at++;
  return at === 0 ? bytes : bytes.subarray(at);
}

const field = 'data';
const dataStart = Buffer.from(`${field}=`);
const equals = 0x3d;
// Enough to recognise how an encoded document begins.
const glanceBytes = 100;

/** Returns the document, or the whole body if no document is found in it. */
export function findDocument(body: Buffer): Buffer {
  if (kindOf(body) !== null) return body;
  if (isMultipart(body)) return readFields(body, [field]).get(field) ?? body;
  const afterName = body.subarray(dataStart.length);
  if (body.subarray(0, dataStart.length).equals(dataStart) && kindOf(afterName) !== null) return afterName;
  const nameless = body[0] === equals ? body.subarray(1) : body;
  if (kindOf(decodeField(nameless.subarray(0, glanceBytes))) !== null)
    return decodeField(nameless.at(-1) === equals ? nameless.subarray(0, -1) : nameless);
  return readEncoded(body, [field]).get(field) ?? body;
}
