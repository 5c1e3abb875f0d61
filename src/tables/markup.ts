// Tags and texts of XML that arrives in pieces. Only what spreadsheets write: no document types, and only the five entities of
// XML and character numbers, so that nothing can expand. Names lose their prefix, because some writers put one everywhere.
import { Unreadable } from './limits.ts';

export type MarkupListener = {
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Only inside tags whose text the listener asked for. */
  text(text: string): void;
};

// A cell holds at most 32,767 characters; escaped, six times as many.
const pieceMax = 4 * 1024 * 1024;

export class MarkupScanner {
  readonly #listener: MarkupListener;
  #rest = '';
  /** The listener sets this while it is inside an element whose text it wants. */
  wantsText = false;

  constructor(listener: (scanner: MarkupScanner) => MarkupListener) {
    this.#listener = listener(this);
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      if (start < 0) break;
      const end = markupEnd(text, start);
      if (end < 0) break;
      if (start > at && this.wantsText) this.#listener.text(plainText(text.slice(at, start)));
      this.#markup(text, start, end);
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > pieceMax) throw new Unreadable('unreadable', 'a piece of markup is too long');
  }

  #markup(text: string, start: number, end: number): void {
    const first = text.charCodeAt(start + 1);
    // "!" and "?"
    if (first === 0x21 || first === 0x3f) {
      if (this.wantsText && text.startsWith('<![CDATA[', start)) this.#listener.text(text.slice(start + 9, end - 3));
      return;
    }
    if (first === 0x2f) return this.#listener.close(localName(text.slice(start + 2, end - 1).trimEnd()));
    const isEmpty = text.charCodeAt(end - 2) === 0x2f;
    let nameEnd = start + 1;
    const last = end - (isEmpty ? 2 : 1);
    while (nameEnd < last && text.charCodeAt(nameEnd) > 0x20) nameEnd += 1;
    const name = localName(text.slice(start + 1, nameEnd));
    this.#listener.open(name, text.slice(nameEnd, last));
    if (isEmpty) this.#listener.close(name);
  }
}

/** Returns the position after the markup that begins here; -1 if its end has not arrived yet. */
function markupEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === 0x21) {
    // Until enough has arrived to distinguish a comment from a section.
    if (text.length < start + 9) return -1;
    if (text.startsWith('<!--', start)) return behind(text.indexOf('-->', start + 4), 3);
    if (text.startsWith('<![CDATA[', start)) return behind(text.indexOf(']]>', start + 9), 3);
    throw new Unreadable('unreadable', 'a document type');
  }
  // ">" may occur inside a quoted value.
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('>', at);
    if (end < 0) return -1;
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote > end) return end + 1;
    const closing = text.indexOf('"', quote + 1);
    if (closing < 0) return -1;
    at = closing + 1;
  }
}

function behind(found: number, length: number): number {
  return found < 0 ? -1 : found + length;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

const patterns = new Map<string, RegExp>();

/** The value of an attribute, with or without a prefix before its name; undefined if absent. */
export function attribute(attributes: string, name: string): string | undefined {
  // The usual spelling first, because half a million cells ask for three attributes each.
  const start = attributes.indexOf(` ${name}="`);
  if (start >= 0) {
    const from = start + name.length + 3;
    return plainText(attributes.slice(from, attributes.indexOf('"', from)));
  }
  if (!attributes.includes(name)) return undefined;
  let pattern = patterns.get(name);
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
    patterns.set(name, pattern);
  }
  const found = pattern.exec(attributes);
  return found ? plainText(found[1] ?? found[2] ?? '') : undefined;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (given, hex, decimal, name) => {
    if (name) return named[name.toLowerCase()] ?? given;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : given;
  });
}

/** Runs a whole part through a listener. */
export async function scanMarkup(
  pieces: AsyncIterable<Uint8Array>,
  listener: (scanner: MarkupScanner) => MarkupListener,
): Promise<void> {
  const scanner = new MarkupScanner(listener);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(piece[0] === 0xff && piece[1] === 0xfe ? 'utf-16le' : 'utf-8');
    scanner.push(decoder.decode(piece, { stream: true }));
  }
}
