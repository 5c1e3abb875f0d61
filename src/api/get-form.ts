// send-sms/get: an order in a query string, for software that can only open an address. It becomes the `request` object of
// send-sms; everything after that is shared.
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../status.ts';
import type { Members } from './envelope.ts';
import { readEncoded, readFields } from './form-fields.ts';
import { sendSmsRequest } from './orders-contract.ts';

/** Every member of an order but the message, which has fields of its own here. */
const orderFields = Object.keys(sendSmsRequest.properties.order.properties).filter(name => name !== 'message');
const loginFields = ['key', 'hash', 'username', 'password'];
const fields = [...loginFields, 'text', 'receipents', ...orderFields];

// 50,000 encoded numbers are shorter than 1 MB.
const bodyBytesMax = 4 * 1024 * 1024;

/** Some clients POST this form, with the fields in the query string or in the body. */
export function openGetForm(query: string, body: Buffer): Members {
  if (body.length > bodyBytesMax) throw new Refusal(400);
  const found = readEncoded(Buffer.from(query, 'latin1'), fields);
  for (const [name, value] of readFields(body, fields)) {
    if (found.has(name)) throw new Refusal(400);
    found.set(name, value);
  }
  const read = (name: string) => readText(found.get(name));
  const message = { text: read('text'), receipents: { number: read('receipents') } };
  const order: Members = { message };
  for (const name of orderFields) order[name] = read(name);
  return { authentication: Object.fromEntries(loginFields.map(name => [name, read(name)])), order };
}

/** Nothing names the encoding here, so text that is not UTF-8 is refused rather than sent garbled. */
function readText(bytes: Buffer | undefined): string | undefined {
  if (bytes && !isUtf8(bytes)) throw new Refusal(400);
  return bytes?.toString('utf8');
}
