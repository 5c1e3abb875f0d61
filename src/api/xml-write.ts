// Writes the XML form of the envelope from the same response object as the JSON form: objects and values become elements, an
// array repeats its element. Each element is on its own line, because some clients read line by line. Only `orders` has entries
// without a name in JSON; they become <order>.
import type { Members, ResponseBody } from './envelope.ts';

const entryNames: Record<string, string> = { orders: 'order' };
const indent = '  ';

export function closeXml(body: ResponseBody): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('response', body.response, '')}`;
}

/** Whole lines; an empty list writes nothing. */
function writeElement(name: string, value: unknown, margin: string): string {
  if (Array.isArray(value)) {
    const entry = entryNames[name];
    return entry ? wrap(name, writeAll(entry, value, margin + indent), margin) : writeAll(name, value, margin);
  }
  if (typeof value === 'object' && value !== null) return wrap(name, writeMembers(value as Members, margin), margin);
  return `${margin}<${name}>${escapeText(String(value ?? ''))}</${name}>\n`;
}

function writeMembers(members: Members, margin: string): string {
  let lines = '';
  for (const [name, member] of Object.entries(members)) lines += writeElement(name, member, margin + indent);
  return lines;
}

function writeAll(name: string, values: unknown[], margin: string): string {
  let lines = '';
  for (const one of values) lines += writeElement(name, one, margin);
  return lines;
}

function wrap(name: string, lines: string, margin: string): string {
  return lines === '' ? `${margin}<${name}></${name}>\n` : `${margin}<${name}>\n${lines}${margin}</${name}>\n`;
}

// Characters that XML 1.0 forbids even as references; a subscriber's message may contain them.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
// A bare carriage return would reach the reader as a line feed.
const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escapeText(text: string): string {
  return text.replace(forbidden, '').replace(/[&<>\r]/g, one => references[one]!);
}
