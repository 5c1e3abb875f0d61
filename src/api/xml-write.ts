// Closes the XML form of the envelope: the same response object that JSON prints, objects and values as elements, an
// array as its element repeated. `orders` alone has no name for its entries in JSON and gets <order> inside.
import type { Members, ResponseBody } from './envelope.ts';

const entryNames: Record<string, string> = { orders: 'order' };

export function closeXml(body: ResponseBody): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('response', body.response)}\n`;
}

function writeElement(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const entry = entryNames[name];
    const entries = value.map(one => writeElement(entry ?? name, one)).join('');
    return entry ? `<${name}>${entries}</${name}>` : entries;
  }
  return `<${name}>${writeContent(value)}</${name}>`;
}

function writeContent(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return escapeText(String(value));
  let content = '';
  for (const [name, member] of Object.entries(value as Members)) content += writeElement(name, member);
  return content;
}

// Characters that no XML 1.0 document may hold, not even as references; a subscriber's message may bring them.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
// A bare carriage return would reach the reader as a line feed.
const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escapeText(text: string): string {
  return text.replace(forbidden, '').replace(/[&<>\r]/g, one => references[one]!);
}
