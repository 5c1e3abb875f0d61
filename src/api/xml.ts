// Opens the XML form of the envelope: a <request> document becomes the same `request` object that JSON gives, with
// strings for values and arrays for repeated elements. 50,000 recipients take 20 to 60 ms. Attributes and unknown
// elements are passed over; DOCTYPE and every entity but the five of XML itself are refused.
import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { asMembers, type Members, own } from './envelope.ts';

export function openXml(contentType: string | undefined, document: Buffer): Members {
  // Layout before the declaration is an error in XML, yet a line break there is what many scripts send.
  const text = decodeDocument(contentType ?? '', document).trimStart();
  const request = parseRequest(text);
  const consent = asMembers(own(request, 'consent'));
  if (consent && Object.hasOwn(consent, 'list')) consent['list'] = listEntries(consent['list']);
  return request;
}

const declaredEncoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/;
const charsetParameter = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
const declarationBytesMax = 200;

/** UTF-8 whatever it is called, else what the document or the header calls it (iso-8859-9 and its like), else 400. */
function decodeDocument(contentType: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const start = bytes.toString('latin1', 0, declarationBytesMax);
  const name = (declaredEncoding.exec(start) ?? charsetParameter.exec(contentType))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400);
  }
}

// 50,000 texts with one recipient each have 200,000 elements; a document of nothing but tags would have eight million.
const elementsMax = 500_000;
const attributesMax = 1_000;
// Elements around one: the request object and the objects in it, as many as in JSON.
const depthMax = limits.jsonDepth;
// The root must have begun by here: 32 MiB of DOCTYPE would be refused only at its end, after 5 s.
const prologCharactersMax = 10_000;

function parseRequest(text: string): Members {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const tree = new Tree();
  let attributes = 0;
  parser.on('doctype', () => parser.fail('no DOCTYPE here'));
  parser.on('attribute', () => void (++attributes > attributesMax && parser.fail('too many attributes')));
  parser.on('opentag', tag => void (tree.open(tag.name) || parser.fail('no such element here, or too many')));
  parser.on('text', piece => tree.addText(piece));
  parser.on('cdata', piece => tree.addCdata(piece));
  parser.on('closetag', () => tree.close());
  try {
    // Without an error handler the parser throws at the first fault.
    parser.write(text.slice(0, prologCharactersMax));
    if (!tree.begun) parser.fail('too much before the root');
    parser.write(text.slice(prologCharactersMax)).close();
  } catch {
    throw new Refusal(400);
  }
  return tree.request;
}

type Element = { name: string; members: Members | null; text: string; cdata: string | null; plain: boolean };

// Layout around every other value is dropped. These count to the letter, as they do in JSON.
const exactNames = new Set(['key', 'hash', 'text', 'sender']);

class Tree {
  /** Made without a prototype: an element may be called anything, `__proto__` too. */
  readonly request: Members = Object.create(null);
  readonly #outer: Element[] = [];
  #current: Element | undefined;
  #elements = 0;

  get begun(): boolean {
    return this.#elements > 0;
  }

  open(name: string): boolean {
    const root = !this.#current;
    if ((root && name !== 'request') || ++this.#elements > elementsMax || this.#outer.length >= depthMax) return false;
    if (this.#current) this.#outer.push(this.#current);
    this.#current = { name, members: root ? this.request : null, text: '', cdata: null, plain: false };
    return true;
  }

  addText(piece: string): void {
    const element = this.#current;
    if (!element || element.members) return;
    element.text += piece;
    if (element.cdata !== null) element.plain ||= piece.trim() !== '';
  }

  addCdata(piece: string): void {
    const element = this.#current!;
    if (element.cdata === null) element.plain = element.text.trim() !== '';
    element.text += piece;
    element.cdata = (element.cdata ?? '') + piece;
  }

  close(): void {
    const element = this.#current!;
    const parent = this.#outer.pop();
    this.#current = parent;
    if (!parent) return;
    parent.members ??= Object.create(null) as Members;
    addMember(parent.members, element.name, element.members ?? leafValue(element));
  }
}

/** Blanks beside a CDATA section are layout; all else between the tags is the value. */
function leafValue(element: Element): string {
  const value = element.cdata !== null && !element.plain ? element.cdata : element.text;
  return exactNames.has(element.name) ? value : value.trim();
}

function addMember(members: Members, name: string, value: unknown): void {
  const before = members[name];
  if (before === undefined) members[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else members[name] = [before, value];
}

/** Records are repeated <list> elements, or elements of any name inside one <list>. Always an array, as JSON has it. */
function listEntries(list: unknown): unknown[] {
  const given = Array.isArray(list) ? list : [list];
  return given.flatMap(one => {
    if (one === '') return [];
    const inside = Object.values(asMembers(one) ?? {}).flat();
    return inside.length > 0 && inside.every(asMembers) ? inside : [one];
  });
}
