// Where the document of a request stands in its body. Clients post it as itself, in a form field `data` (URL-encoded, not
// encoded at all, multipart), or URL-encoded without a name, under any content type or none: so the bytes are asked.
import { decodeField, isMultipart, readEncoded, readFields } from './form-fields.ts';

export type DocumentKind = 'json' | 'xml' | null;

// Blanks, and the three octets of a byte order mark.
const before = new Set([0x20, 0x09, 0x0d, 0x0a, 0xef, 0xbb, 0xbf]);
const kinds: Record<number, DocumentKind> = { 123: 'json', 60: 'xml' };

// 32 MB of blanks are not all looked at.
const beforeMax = 10_000;

/** By the first character that is no layout: `{` or `<`. */
export function kindOf(bytes: Buffer): DocumentKind {
  let at = 0;
  while (at < beforeMax && before.has(bytes[at]!)) at++;
  return kinds[bytes[at]!] ?? null;
}

const field = 'data';
// Enough to see what an encoded document begins with.
const glanceCharacters = 100;

/** The document, or the body as it is when there is none in it. */
export function findDocument(body: Buffer): Buffer {
  if (kindOf(body) !== null) return body;
  if (isMultipart(body)) return readFields(body, [field]).get(field) ?? body;
  const afterName = body.subarray(field.length + 1);
  const form = body.toString('latin1');
  if (form.startsWith(`${field}=`) && kindOf(afterName) !== null) return afterName;
  const nameless = form.startsWith('=') ? form.slice(1) : form;
  if (kindOf(decodeField(nameless.slice(0, glanceCharacters))) !== null) return decodeField(nameless.replace(/=$/, ''));
  return readEncoded(form, [field]).get(field) ?? body;
}
