// Normalises a carrier's message ids: answers and receipts may write the same id in hex or decimal, with leading zeros, in either
// case.
import type { IdFormat } from './carriers.ts';

/** An id that is already normal, as nearly all are. */
const normal = /^[!-/1-9:-@[-~][!-@[-~]{0,127}$/;

export function normaliseMessageId(id: string, format: IdFormat): string {
  if (format !== 'hex' && normal.test(id)) return id;
  const text = id.trim().toLowerCase().slice(0, 128);
  if (format === 'hex' && /^[0-9a-f]{1,32}$/.test(text)) return BigInt(`0x${text}`).toString();
  const stripped = text.replace(/^0+(?=.)/, '');
  // The id is stored as text, which cannot hold NUL.
  return stripped.replace(/[^\x21-\x7e]/g, '?');
}
