/*
 * The messages of every simulated phone. Octets are stored as they came and decoded when they are read, because a load run writes
 * 50,000 messages a second and reads almost none. Parts of a long message wait until all are there, as on a real phone. All
 * stores are bounded: the oldest entries are removed and counted.
 */
import { decodeUserData } from '../../src/text/decode.ts';
import { Ring } from './ring.ts';
import { hashText, Seen } from './seen.ts';
import { ESM_HAS_HEADER, type Submit } from './wire.ts';

const MESSAGES_MAX = 200_000;
const MESSAGES_PER_PHONE_MAX = 1_000;
const INCOMPLETE_MAX = 50_000;
const INCOMPLETE_AGE_MAX_MS = 600_000;

type ShownMessage = { from: string; to: string; text: string; parts: number; receivedAt: string };

type Stored = {
  source: string;
  destination: string;
  userData: string | readonly string[];
  dataCoding: number;
  hasHeader: boolean;
  receivedAtMs: number;
  onPhone: boolean;
};
type Concat = { reference: number; total: number; sequence: number };
type Incomplete = { parts: (string | undefined)[]; missing: number; sinceMs: number };

export class Phones {
  delivered = 0;
  duplicates = 0;
  dropped = 0;
  #all = new Ring<Stored>();
  #phones = new Map<string, Stored | Ring<Stored>>();
  #incomplete = new Map<string, Incomplete>();
  #seen = new Seen();
  readonly #messagesMax: number;
  readonly #perPhoneMax: number;

  constructor(messagesMax = MESSAGES_MAX, perPhoneMax = MESSAGES_PER_PHONE_MAX) {
    this.#messagesMax = messagesMax;
    this.#perPhoneMax = perPhoneMax;
  }

  get stored(): number {
    return this.#all.length;
  }

  get incomplete(): number {
    return this.#incomplete.size;
  }

  receive(submit: Submit, nowMs: number): void {
    const concat = concatOf(submit);
    const userData = concat === null ? submit.userData : this.#join(submit, concat, nowMs);
    if (userData !== null) this.#show(submit, userData, nowMs);
  }

  shownOn(destination: string): ShownMessage[] {
    const phone = this.#phones.get(destination);
    if (phone === undefined) return [];
    if (!(phone instanceof Ring)) return [render(phone)];
    return newestOf(phone, this.#perPhoneMax);
  }

  newest(count: number): ShownMessage[] {
    return newestOf(this.#all, count);
  }

  clear(): void {
    this.#all.clear();
    this.#phones.clear();
    this.#incomplete.clear();
    this.#seen.clear();
    this.delivered = 0;
    this.duplicates = 0;
    this.dropped = 0;
  }

  #join(submit: Submit, concat: Concat, nowMs: number): readonly string[] | null {
    const key = `${submit.destination}|${submit.source}|${concat.reference}|${concat.total}`;
    let group = this.#incomplete.get(key);
    if (group === undefined || nowMs - group.sinceMs > INCOMPLETE_AGE_MAX_MS) {
      group = { parts: new Array(concat.total), missing: concat.total, sinceMs: nowMs };
      this.#incomplete.delete(key);
      this.#incomplete.set(key, group);
      if (this.#incomplete.size > INCOMPLETE_MAX) this.#forgetOldestIncomplete();
    }
    if (group.parts[concat.sequence - 1] === undefined) group.missing--;
    group.parts[concat.sequence - 1] = submit.userData;
    if (group.missing > 0) return null;
    this.#incomplete.delete(key);
    return group.parts as string[];
  }

  #forgetOldestIncomplete(): void {
    for (const key of this.#incomplete.keys()) {
      this.#incomplete.delete(key);
      this.dropped++;
      return;
    }
  }

  #show(submit: Submit, userData: string | readonly string[], nowMs: number): void {
    const stored: Stored = {
      source: submit.source,
      destination: submit.destination,
      userData,
      dataCoding: submit.dataCoding,
      hasHeader: (submit.esmClass & ESM_HAS_HEADER) !== 0,
      receivedAtMs: nowMs,
      onPhone: true,
    };
    this.delivered++;
    if (this.#seen.add(hashOf(stored))) this.duplicates++;
    this.#put(stored);
    this.#all.push(stored);
    if (this.#all.length > this.#messagesMax) this.#dropOldest();
  }

  /* Most phones of a campaign get one message: a list of its own only from the second on. */
  #put(stored: Stored): void {
    const phone = this.#phones.get(stored.destination);
    if (phone === undefined) {
      this.#phones.set(stored.destination, stored);
      return;
    }
    const list = phone instanceof Ring ? phone : ringOf(phone);
    list.push(stored);
    if (list !== phone) this.#phones.set(stored.destination, list);
    if (list.length <= this.#perPhoneMax) return;
    list.shift()!.onPhone = false;
    this.dropped++;
  }

  /* Both orders are by arrival, so the oldest of all is the oldest on its phone, if it is still there. */
  #dropOldest(): void {
    const oldest = this.#all.shift()!;
    if (!oldest.onPhone) return;
    this.dropped++;
    const phone = this.#phones.get(oldest.destination);
    if (phone instanceof Ring && phone.length > 1) phone.shift();
    else this.#phones.delete(oldest.destination);
  }
}

function ringOf(first: Stored): Ring<Stored> {
  const ring = new Ring<Stored>();
  ring.push(first);
  return ring;
}

function newestOf(messages: Ring<Stored>, count: number): ShownMessage[] {
  const shown: ShownMessage[] = [];
  for (let index = Math.max(0, messages.length - count); index < messages.length; index++) {
    const stored = messages.at(index)!;
    shown.push(render(stored));
  }
  return shown;
}

function render(stored: Stored): ShownMessage {
  const parts = typeof stored.userData === 'string' ? [stored.userData] : stored.userData;
  const text = parts
    .map(part => decodeUserData(Buffer.from(part, 'latin1'), stored.dataCoding, stored.hasHeader).text)
    .join('');
  const receivedAt = new Date(stored.receivedAtMs).toISOString();
  return { from: stored.source, to: stored.destination, text, parts: parts.length, receivedAt };
}

/* Without the header: a copy sent again carries another concatenation reference but is the same text. */
function hashOf(stored: Stored): number {
  let hash = hashText(stored.source, hashText(stored.destination, stored.dataCoding + 1));
  const parts = typeof stored.userData === 'string' ? [stored.userData] : stored.userData;
  for (const part of parts) hash = hashText(part.slice(stored.hasHeader ? headerBytes(part) : 0), hash);
  return hash;
}

/* Identifies a copy for "attempt": the same text to the same phone, with any concatenation reference. */
export function attemptKey(submit: Submit): string {
  const skip = (submit.esmClass & ESM_HAS_HEADER) !== 0 ? headerBytes(submit.userData) : 0;
  return `${submit.destination}|${submit.source}|${hashText(submit.userData.slice(skip))}`;
}

function headerBytes(userData: string): number {
  return userData === '' ? 0 : Math.min(userData.length, userData.charCodeAt(0) + 1);
}

function concatOf(submit: Submit): Concat | null {
  const found =
    submit.sarReference >= 0
      ? { reference: submit.sarReference, total: submit.sarTotal, sequence: submit.sarSequence }
      : (submit.esmClass & ESM_HAS_HEADER) !== 0
        ? concatInHeader(submit.userData)
        : null;
  if (found === null || found.total < 2 || found.sequence < 1 || found.sequence > found.total) return null;
  return found;
}

/* Information elements 0x00 (8-bit reference) and 0x08 (16-bit); any other is stepped over. */
function concatInHeader(userData: string): Concat | null {
  const end = headerBytes(userData);
  let at = 1;
  while (at + 1 < end) {
    const element = userData.charCodeAt(at);
    const length = userData.charCodeAt(at + 1);
    const wide = element === 0x08 && length === 4;
    if ((wide || (element === 0x00 && length === 3)) && at + 2 + length <= end) {
      const low = userData.charCodeAt(at + 1 + length - 2);
      const reference = wide ? (userData.charCodeAt(at + 2) << 8) | low : low;
      return {
        reference,
        total: userData.charCodeAt(at + length),
        sequence: userData.charCodeAt(at + length + 1),
      };
    }
    at += 2 + length;
  }
  return null;
}
