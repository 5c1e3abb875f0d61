// Scans large JSON without building objects: checks the grammar as JSON.parse does, counts values and levels, finds
// `request.authentication`, and notes where the text can be cut into pieces that are parsed one at a time. A megabyte takes 2
// to 3 ms, in steps between which other requests are served.
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';

/** Consecutive members or entries from `start` to `end`, or one that is large enough to be cut itself. */
type Piece = { start: number; end: number; name: Span | null; inside: Container | null };
export type Span = { start: number; end: number };
export type Container = { isArray: boolean; pieces: Piece[] };

export type ScanBounds = { values: number; members: number; depth: number; tokenBytes: number; pieceBytes: number };

export const usualBounds: ScanBounds = {
  // 50,000 texts with one recipient each have 250,000 values; 32 MB of `{},` would have eleven million.
  values: 500_000,
  // Members of one object. Lists also come as objects, and objects with this many members are slow to build.
  members: 2 * limits.recipientsPerOrder,
  depth: limits.jsonDepth,
  // A text of a million letters is still refused as too long; a longer one would take too long to parse.
  tokenBytes: 4 * 1024 * 1024,
  pieceBytes: 64 * 1024,
};

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const braceOpen = 0x7b;
const braceClose = 0x7d;
const bracketOpen = 0x5b;
const bracketClose = 0x5d;
const minus = 0x2d;
const plus = 0x2b;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const letterE = 0x65;
const letterU = 0x75;

type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing';

class Frame {
  isArray = false;
  start = 0;
  /** Start of the members that belong to no piece yet; -1 after a member that was cut, until the next comma. */
  runStart = 0;
  lastComma = -1;
  members = 0;
  name: Span | null = null;
  pieces: Piece[] = [];
}

export class JsonScan {
  root: Container | null = null;
  /** The value of the last `authentication` in the last `request`, if that is an object. */
  authentication: Span | null = null;
  hasRequest = false;
  readonly #bytes: Buffer;
  readonly #bounds: ScanBounds;
  readonly #frames: Frame[] = [];
  #top: Frame | undefined;
  #at = 0;
  #values = 0;
  #expected: Expected = 'value';
  #isRequest = false;
  #isAuthentication = false;

  constructor(bytes: Buffer, bounds: ScanBounds = usualBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  /** Scans about `bytes` more; returns true at the end. Refuses what JSON.parse would not accept, and too many values. */
  step(bytes: number): boolean {
    const end = Math.min(this.#bytes.length, this.#at + bytes);
    while (this.#at < end) {
      const code = this.#bytes[this.#at]!;
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at++;
      else this.#token(code);
    }
    if (this.#at < this.#bytes.length) return false;
    if (this.#expected !== 'nothing') refuse();
    return true;
  }

  #token(code: number): void {
    switch (this.#expected) {
      case 'comma-or-end':
        return code === comma ? this.#comma() : this.#close(code);
      case 'value':
        return this.#value(code);
      case 'value-or-end':
        return code === bracketClose ? this.#close(code) : this.#value(code);
      case 'name':
        return this.#name(code);
      case 'name-or-end':
        return code === braceClose ? this.#close(code) : this.#name(code);
      case 'colon':
        if (code !== colon) refuse();
        this.#at++;
        this.#expected = 'value';
        return;
      default:
        refuse();
    }
  }

  #name(code: number): void {
    if (code !== quote) refuse();
    const name = { start: this.#at, end: this.#stringEnd(this.#at) };
    const frame = this.#top!;
    if (++frame.members > this.#bounds.members) refuse();
    frame.name = name;
    this.#at = name.end;
    this.#expected = 'colon';
    if (this.#frames.length === 1) this.#isRequest = this.#isNamed(name, 'request');
    else if (this.#frames.length === 2)
      this.#isAuthentication = this.#isRequest && this.#isNamed(name, 'authentication');
  }

  /** As in JSON.parse, the last value of a repeated name counts. */
  #value(code: number): void {
    if (++this.#values > this.#bounds.values) refuse();
    const depth = this.#frames.length;
    if (depth === 1 && this.#isRequest) {
      this.hasRequest = code === braceOpen;
      this.authentication = null;
    } else if (depth === 2 && this.#isAuthentication) this.authentication = { start: this.#at, end: this.#at };
    if (code === braceOpen || code === bracketOpen) return this.#open(code === bracketOpen);
    if (code === quote) this.#at = this.#stringEnd(this.#at);
    else if (code === minus || (code >= zero && code <= nine)) this.#at = this.#numberEnd(this.#at);
    else this.#at = this.#wordEnd(this.#at);
    this.#valueEnded();
  }

  #valueEnded(): void {
    const depth = this.#frames.length;
    this.#expected = depth === 0 ? 'nothing' : 'comma-or-end';
    if (depth === 2 && this.#isAuthentication && this.authentication) this.authentication.end = this.#at;
  }

  #open(isArray: boolean): void {
    if (this.#frames.length >= this.#bounds.depth) refuse();
    const frame = new Frame();
    frame.isArray = isArray;
    frame.start = this.#at++;
    frame.runStart = this.#at;
    if (this.#frames.push(frame) === 2) this.#isAuthentication = false;
    this.#top = frame;
    this.#expected = isArray ? 'value-or-end' : 'name-or-end';
  }

  #comma(): void {
    const frame = this.#top!;
    const at = this.#at++;
    frame.lastComma = at;
    if (frame.runStart < 0) frame.runStart = at + 1;
    else if (at - frame.runStart >= this.#bounds.pieceBytes) this.#cut(frame, at);
    this.#expected = frame.isArray ? 'value' : 'name';
  }

  #cut(frame: Frame, end: number): void {
    frame.pieces.push({ start: frame.runStart, end, name: null, inside: null });
    frame.runStart = end + 1;
  }

  #close(code: number): void {
    const frame = this.#top!;
    if (code !== (frame.isArray ? bracketClose : braceClose)) refuse();
    this.#frames.pop();
    const parent = this.#frames.at(-1);
    this.#top = parent;
    const end = this.#at++;
    if (!parent || end - frame.start >= this.#bounds.pieceBytes) {
      if (frame.runStart >= 0) this.#cut(frame, end);
      const container = { isArray: frame.isArray, pieces: frame.pieces };
      if (parent) addLarge(parent, frame, this.#at, container);
      else this.root = container;
    }
    this.#valueEnded();
  }

  #stringEnd(start: number): number {
    const bytes = this.#bytes;
    const last = Math.min(bytes.length, start + this.#bounds.tokenBytes);
    for (let at = start + 1; at < last; at++) {
      const code = bytes[at]!;
      if (code === quote) return at + 1;
      if (code < 0x20) refuse();
      if (code === backslash) at = this.#escapeEnd(at + 1);
    }
    return refuse();
  }

  /** Index of the last byte of the escape whose backslash stands before `at`. */
  #escapeEnd(at: number): number {
    const code = this.#bytes[at]!;
    if (code !== letterU) return escapes.has(code) ? at : refuse();
    for (let i = 1; i <= 4; i++) if (!isHex(this.#bytes[at + i]!)) refuse();
    return at + 4;
  }

  #numberEnd(start: number): number {
    const bytes = this.#bytes;
    let at = bytes[start] === minus ? start + 1 : start;
    at = bytes[at] === zero ? at + 1 : this.#digitsEnd(at);
    if (bytes[at] === dot) at = this.#digitsEnd(at + 1);
    if ((bytes[at]! | 0x20) !== letterE) return at;
    const sign = bytes[at + 1];
    return this.#digitsEnd(sign === plus || sign === minus ? at + 2 : at + 1);
  }

  /** Requires at least one digit. */
  #digitsEnd(start: number): number {
    const last = start + this.#bounds.tokenBytes;
    let at = start;
    while (at < last && this.#bytes[at]! >= zero && this.#bytes[at]! <= nine) at++;
    return at === start ? refuse() : at;
  }

  #wordEnd(start: number): number {
    for (const word of words)
      if (this.#bytes.toString('latin1', start, start + word.length) === word) return start + word.length;
    return refuse();
  }

  #isNamed({ start, end }: Span, wanted: string): boolean {
    // An escaped letter takes six bytes.
    if (end - start > 6 * wanted.length + 2) return false;
    const raw = this.#bytes.toString('latin1', start, end);
    return raw.includes('\\') ? JSON.parse(raw) === wanted : raw === `"${wanted}"`;
  }
}

const words = ['true', 'false', 'null'];
const escapes = new Set([...'"\\/bfnrt'].map(letter => letter.charCodeAt(0)));

function isHex(code: number): boolean {
  return (code >= zero && code <= nine) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function addLarge(parent: Frame, frame: Frame, end: number, inside: Container): void {
  if (parent.runStart >= 0 && parent.lastComma >= parent.runStart)
    parent.pieces.push({ start: parent.runStart, end: parent.lastComma, name: null, inside: null });
  parent.pieces.push({ start: frame.start, end, name: parent.name, inside });
  parent.runStart = -1;
}

function refuse(): never {
  throw new Refusal(400);
}
