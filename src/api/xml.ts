// Opens the XML form of the envelope: a <request> document becomes the same `request` object as JSON, with strings for values
// and arrays for repeated elements. 50,000 recipients take 20 to 60 ms. Attributes and unknown elements are ignored; DOCTYPE
// and all entities but the five of XML are refused.
import { isUtf8 } from 'node:buffer';
import { setImmediate as others } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { asMembers, type Members, own } from './envelope.ts';

export function openXml(contentType: string | undefined, document: Buffer): Members {
  const reader = new Reader();
  for (const slice of slicesOf(contentType ?? '', document)) reader.write(slice);
  return withLists(reader.end());
}

// 50,000 recipients have 1.5 MB; building objects of a body of this size costs little.
const honestBytesMax = 4 * 1024 * 1024;

/**
 * Large documents are parsed in slices between which other requests are served. Credentials are verified as soon as they are
 * read, so a stranger gets 401 whatever follows. In documents beyond honest size the credentials are searched for first,
 * without building anything.
 */
export async function openLargeXml(
  contentType: string | undefined,
  document: Buffer,
  verify: (authentication: unknown) => Promise<void>,
): Promise<Members> {
  let isVerified = false;
  const verifyOnce = async (given: unknown) => {
    isVerified = true;
    await verify(given);
  };
  if (document.length > honestBytesMax) await verifyOnce(await findAuthentication(contentType ?? '', document));
  const reader = new Reader();
  for (const slice of slicesOf(contentType ?? '', document)) {
    reader.write(slice);
    const found = isVerified ? undefined : own(reader.request, authentication);
    if (found !== undefined) await verifyOnce(found);
    await others();
  }
  const request = reader.end();
  if (!isVerified) await verifyOnce(own(request, authentication));
  // A second authentication element is not the verified one.
  if (!asMembers(own(request, authentication))) throw new Refusal(401);
  return withLists(request);
}

const authentication = 'authentication';

async function findAuthentication(contentType: string, document: Buffer): Promise<unknown> {
  const reader = new Reader(authentication);
  for (const slice of slicesOf(contentType, document)) {
    reader.write(slice);
    const found = own(reader.request, authentication);
    if (found !== undefined) return found;
    await others();
  }
  return own(reader.end(), authentication);
}

function withLists(request: Members): Members {
  const consent = asMembers(own(request, 'consent'));
  if (consent && Object.hasOwn(consent, 'list')) consent['list'] = listEntries(consent['list']);
  return request;
}

const declaredEncoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/;
const charsetParameter = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
const declarationBytesMax = 200;

/**
 * UTF-8 if the bytes are valid UTF-8, else the encoding that the document or the header names (iso-8859-9 and similar), else
 * 400.
 */
function encodingOf(contentType: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return 'utf-8';
  const start = bytes.toString('latin1', 0, declarationBytesMax);
  return (declaredEncoding.exec(start) ?? charsetParameter.exec(contentType))?.[1] ?? 'utf-8';
}

// The root must begin in the first slice: 32 MiB of DOCTYPE would otherwise be refused only at its end, after 5 s.
const prologBytesMax = 10_000;
const sliceBytes = 64 * 1024;

function* slicesOf(contentType: string, document: Buffer): Generator<string> {
  try {
    const decoder = new TextDecoder(encodingOf(contentType, document), { fatal: true });
    yield decoder.decode(document.subarray(0, prologBytesMax), { stream: true });
    for (let at = prologBytesMax; at < document.length; at += sliceBytes)
      yield decoder.decode(document.subarray(at, at + sliceBytes), { stream: true });
    yield decoder.decode();
  } catch {
    throw new Refusal(400);
  }
}

// 50,000 texts with one recipient each have 200,000 elements; a document of nothing but tags would have eight million.
const elementsMax = 500_000;
const attributesMax = 1_000;
// Levels of elements: the request object and the objects in it, as deep as in JSON.
const depthMax = limits.jsonDepth;
// Credentials have two or three elements.
const wantedElementsMax = 100;
// A megabyte without a tag cannot be the text of a message. The parser would keep each of its lines and entities as a piece.
const tagFreeCharactersMax = 1024 * 1024;

class Reader {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #tree: Tree;
  #attributes = 0;
  #hasText = false;
  #tagFree = 0;

  /** Which elements of the request are kept: all, or one. */
  constructor(wanted?: string) {
    const parser = this.#parser;
    const tree = new Tree(wanted);
    this.#tree = tree;
    parser.on('doctype', () => parser.fail('no DOCTYPE here'));
    parser.on('attribute', () => void (++this.#attributes > attributesMax && parser.fail('too many attributes')));
    parser.on('opentag', tag => void (tree.open(tag.name) || parser.fail('no such element here, or too many')));
    parser.on('text', piece => tree.addText(piece));
    parser.on('cdata', piece => tree.addCdata(piece));
    parser.on('closetag', () => tree.close());
  }

  get request(): Members {
    return this.#tree.request;
  }

  write(slice: string): void {
    // White space before the declaration is an error in XML, but many scripts send a line break there.
    const text = this.#hasText ? slice : slice.trimStart();
    this.#hasText = true;
    const lastTag = text.lastIndexOf('<');
    this.#tagFree = lastTag < 0 ? this.#tagFree + text.length : text.length - lastTag;
    if (this.#tagFree > tagFreeCharactersMax) throw new Refusal(400);
    try {
      // Without an error handler the parser throws at the first error.
      this.#parser.write(text);
    } catch {
      throw new Refusal(400);
    }
    if (!this.#tree.begun) throw new Refusal(400);
  }

  end(): Members {
    try {
      this.#parser.close();
    } catch {
      throw new Refusal(400);
    }
    return this.#tree.request;
  }
}

type Element = { name: string; members: Members | null; text: string; cdata: string | null; hasText: boolean };

// White space around other values is dropped. In these values every character counts, as in JSON.
const exactNames = new Set(['key', 'hash', 'username', 'password', 'text', 'sender']);

class Tree {
  /** Created without a prototype, because an element may have any name, even `__proto__`. */
  readonly request: Members = Object.create(null);
  readonly #outer: Element[] = [];
  readonly #wanted: string | undefined;
  #current: Element | undefined;
  #elements = 0;
  #wantedElements = 0;
  #isWanted = true;

  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  get begun(): boolean {
    return this.#elements > 0;
  }

  open(name: string): boolean {
    const root = !this.#current;
    if ((root && name !== 'request') || ++this.#elements > elementsMax || this.#outer.length >= depthMax) return false;
    if (this.#current) this.#outer.push(this.#current);
    this.#current = { name, members: root ? this.request : null, text: '', cdata: null, hasText: false };
    if (this.#wanted === undefined || root) return true;
    if (this.#outer.length === 1) this.#isWanted = name === this.#wanted;
    return !this.#isWanted || ++this.#wantedElements <= wantedElementsMax;
  }

  addText(piece: string): void {
    const element = this.#current;
    if (!element || element.members || !this.#isWanted) return;
    element.text += piece;
    if (element.cdata !== null) element.hasText ||= piece.trim() !== '';
  }

  addCdata(piece: string): void {
    const element = this.#current!;
    if (!this.#isWanted) return;
    if (element.cdata === null) element.hasText = element.text.trim() !== '';
    element.text += piece;
    element.cdata = (element.cdata ?? '') + piece;
  }

  close(): void {
    const element = this.#current!;
    const parent = this.#outer.pop();
    this.#current = parent;
    if (!parent || !this.#isWanted) return;
    parent.members ??= Object.create(null) as Members;
    addMember(parent.members, element.name, element.members ?? leafValue(element));
  }
}

/** White space beside a CDATA section is layout; all other text between the tags is the value. */
function leafValue(element: Element): string {
  const value = element.cdata !== null && !element.hasText ? element.cdata : element.text;
  // Always trimmed, because trimming also joins the hundred-byte pieces in which a long value was read.
  const trimmed = value.trim();
  return exactNames.has(element.name) ? value : trimmed;
}

function addMember(members: Members, name: string, value: unknown): void {
  const before = members[name];
  if (before === undefined) members[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else members[name] = [before, value];
}

/** Records are repeated <list> elements, or elements of any name inside one <list>. The result is always an array, as in JSON. */
function listEntries(list: unknown): unknown[] {
  const given = Array.isArray(list) ? list : [list];
  return given.flatMap(one => {
    if (one === '') return [];
    const inside = Object.values(asMembers(one) ?? {}).flat();
    return inside.length > 0 && inside.every(asMembers) ? inside : [one];
  });
}
