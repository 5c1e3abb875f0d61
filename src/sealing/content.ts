// Content of messages at rest: texts, lists, bodies. With PEYK_CONTENT=sealed they are encrypted before they enter a statement
// and decrypted after they are read, so the database sees neither them nor the key. A sealed value names its key: rows of both
// kinds exist side by side, and any process with the key opens them, whatever the setting
// (docs/decisions/0017-sealed-content.md). The keys are state of the process, like its clock; otherwise every reader of a text
// would pass them through layers that do not use them.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type Hash,
  type Hmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { sha256 } from './digest.ts';
import { keysOf, type SecretKey } from './secrets.ts';

/** A stored text that cannot be read: changed in the database, or sealed with a key that is not configured. */
export class Unreadable extends Error {}

/** What people see in place of an unreadable text. */
export const unreadableText = '[metin okunamıyor / text unreadable]';

/** `id`: six letters and a colon that name the key in sealed values. */
type ContentKey = { id: string; cipher: Buffer; names: Buffer };

const mark = 'peyk1:';
const idLength = 6;
const headLength = mark.length + idLength + 1;
const markBytes = Buffer.from(mark);
const [nonceBytes, tagBytes] = [12, 16];

let keys: ContentKey[] = [];
let sealing = false;

/** The first key seals, each of them opens. */
export function useContentKeys(key: SecretKey, setting: 'sealed' | 'plain'): void {
  keys = keysOf(key).map(one => ({
    id: `${idOf(one)}:`,
    cipher: derived(one, 'content'),
    names: derived(one, 'names'),
  }));
  sealing = setting === 'sealed';
  last = { sealed: '', text: '' };
}

/** How a value sealed with this key begins. */
export function headOf(key: Buffer): string {
  return `${mark}${idOf(key)}:`;
}

function idOf(key: Buffer): string {
  return derived(key, 'id').toString('base64url').slice(0, idLength);
}

function derived(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `peyk ${use}`, 32));
}

/**
 * The value as stored. A text that looks like a sealed value is always sealed, so that nobody can store one that would be
 * opened.
 */
export function sealText(text: string): string {
  return sealing || text.startsWith(mark) ? sealedText(text, nextNonce()) : text;
}

/** The same text in the same place gives the same value, for comparing stored values. */
export function sealTextAlike(text: string, place: string): string {
  if (!sealing && !text.startsWith(mark)) return text;
  const nonce = createHmac('sha256', firstKey().names).update(`${place}\n${text}`).digest().subarray(0, nonceBytes);
  return sealedText(text, nonce);
}

function sealedText(text: string, nonce: Buffer): string {
  const key = firstKey();
  return `${mark}${key.id}${sealed(key, Buffer.from(text, 'utf8'), nonce).toString('base64url')}`;
}

function firstKey(): ContentKey {
  const [key] = keys;
  if (!key) throw new Error('content keys are not set');
  return key;
}

/** Throws Unreadable. */
export function openText(text: string): string {
  if (!text.startsWith(mark)) return text;
  // Messages of a campaign are read one after another and share a text.
  if (text === last.sealed) return last.text;
  const plain = opened(text.slice(mark.length, headLength), Buffer.from(text.slice(headLength), 'base64url'));
  last = { sealed: text, text: plain.toString('utf8') };
  return last.text;
}

let last = { sealed: '', text: '' };

/** For display: one changed row does not hide the others of a page. */
export function shownText<T extends string | null>(text: T): T | string {
  if (text === null || !text.startsWith(mark)) return text;
  return unlessUnreadable(() => openText(text)) ?? unreadableText;
}

/** For a statement: the beginning of a text, or a whole sealed value, of which `shownStart` takes the beginning. */
export function textStart(column: string, length: number): string {
  return `case when starts_with(${column}, '${mark}') then ${column} else left(${column}, ${length}) end`;
}

export function shownStart(text: string, length: number): string {
  if (!text.startsWith(mark)) return text;
  // Like left(): whole characters, no halves of surrogate pairs.
  return Array.from(shownText(text)).slice(0, length).join('');
}

/** For the audit log: a text that was searched for is content too. */
export function notedText(text: string): string {
  return sealing ? '***' : text;
}

/** For a statement. */
export function isSealedText(column: string): string {
  return `starts_with(${column}, '${mark}')`;
}

export function sealBytes(bytes: Buffer): Buffer {
  return sealing || bytes.subarray(0, markBytes.length).equals(markBytes) ? sealedBytes(bytes) : bytes;
}

function sealedBytes(bytes: Buffer): Buffer {
  const key = firstKey();
  return Buffer.concat([Buffer.from(`${mark}${key.id}`), sealed(key, bytes, nextNonce())]);
}

/** Throws Unreadable. */
export function openBytes(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, markBytes.length).equals(markBytes)) return bytes;
  return opened(bytes.toString('latin1', mark.length, headLength), bytes.subarray(headLength));
}

/** null if it cannot be opened. */
export function unlessUnreadable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** A list is sealed as a list with a single entry. */
export function sealTexts(texts: string[]): string[] {
  if (!sealing && !texts.some(one => one.startsWith(mark))) return texts;
  return [sealedText(JSON.stringify(texts), nextNonce())];
}

/** Throws Unreadable. */
export function openTexts(texts: string[]): string[] {
  if (texts.length !== 1 || !texts[0]!.startsWith(mark)) return texts;
  return JSON.parse(openText(texts[0]!)) as string[];
}

export function shownTexts(texts: string[]): string[] {
  return unlessUnreadable(() => openTexts(texts)) ?? [unreadableText];
}

/** A JSON value is sealed as a JSON string. */
export function sealJson<T extends object>(value: T): T | { sealed: string } {
  return sealing ? { sealed: sealText(JSON.stringify(value)) } : value;
}

/** Throws Unreadable. */
export function openJson<T extends object>(value: T | { sealed: string }): T {
  return 'sealed' in value && typeof value.sealed === 'string'
    ? (JSON.parse(openText(value.sealed)) as T)
    : (value as T);
}

/**
 * A digest that distinguishes texts without revealing them: an unkeyed digest of a text with a short code could be found by
 * trying all codes.
 */
export function nameDigest(data: string): Buffer {
  return sealing ? createHmac('sha256', firstKey().names).update(data).digest() : sha256(data);
}

export function nameHash(): Hash | Hmac {
  return sealing ? createHmac('sha256', firstKey().names) : createHash('sha256');
}

/** The stored digest of a request: longer than an unkeyed one, because it names its key. */
export function sealDigest(digest: Buffer): Buffer {
  return sealing ? digestUnder(firstKey(), digest) : digest;
}

/** Whether a stored digest, keyed with any of the keys or unkeyed, equals this one. */
export function isSameDigest(stored: Buffer, digest: Buffer): boolean {
  return stored.equals(digest) || keys.some(key => stored.equals(digestUnder(key, digest)));
}

function digestUnder(key: ContentKey, digest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(key.id), createHmac('sha256', key.names).update(digest).digest()]);
}

// A nonce must never repeat under a key: seven random bytes of this process plus a counter. Random nonces would collide after
// some 2^32 values, weeks of a busy installation.
const countMax = 2 ** 40;
let [nonce, count] = [randomBytes(nonceBytes), 0];

function nextNonce(): Buffer {
  if (count === countMax) [nonce, count] = [randomBytes(nonceBytes), 0];
  nonce.writeUIntBE(count++, nonceBytes - 5, 5);
  return nonce;
}

function sealed(key: ContentKey, plain: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key.cipher, nonce);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function opened(id: string, sealed: Buffer): Buffer {
  const key = keys.find(one => one.id === id);
  if (!key) throw new Unreadable(`content sealed with the key ${id}, which is not given`);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.cipher, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const plain = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    decipher.final();
    return plain;
  } catch {
    throw new Unreadable('content that was changed after it was sealed');
  }
}
