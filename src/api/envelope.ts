// Opens and closes the JSON envelope of every operation. Opening refuses with 400 any body that is not a JSON object with a
// `request` object inside, or that is nested deeper than any operation needs. The content type is ignored.
import { asMembers, own } from '../contract/reader.ts';
import { limits } from '../limits.ts';
import { Refusal, type StatusCode, statusTexts } from '../status.ts';
import { findDocument } from './document.ts';

export { asMembers, own };
export type Members = Record<string, unknown>;

const brace = 0x7b;

export function openJson(body: Buffer): Members {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body[0] === brace ? body.toString('utf8') : textOf(findDocument(body)));
  } catch {
    throw new Refusal(400);
  }
  const envelope = asMembers(parsed);
  const request = envelope && asMembers(own(envelope, 'request'));
  if (!request || tooDeep(envelope, limits.jsonDepth)) throw new Refusal(400);
  return request;
}

/** Skips leading white space and a byte order mark. */
function textOf(document: Buffer): string {
  return document.toString('utf8').trimStart();
}

// Strings are skipped as a whole, so 50,000 recipients cost a tenth of a millisecond.
function tooDeep(value: object, left: number): boolean {
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object' && one !== null && tooDeep(one, left - 1)) return true;
    return false;
  }
  for (const name in value) {
    const one = (value as Members)[name];
    if (typeof one === 'object' && one !== null && tooDeep(one, left - 1)) return true;
  }
  return false;
}

export type ResponseBody = { response: { status: { code: number; message: string } } & Members };

export function closeEnvelope(
  code: StatusCode,
  result?: Members,
  errors?: Record<string, string>,
  message: string = statusTexts[code],
): ResponseBody {
  const status = { code, message };
  return { response: { status, ...result, ...(errors ? { errors } : {}) } };
}
