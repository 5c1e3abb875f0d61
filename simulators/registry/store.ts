// The registry's data in memory: brands, addresses with their movements, and one log of all movements in order of arrival, from
// which changes are pulled. Bounded: addresses beyond `addressesMax` are refused (H525), and the oldest log entries are
// removed, as the real registry removes those older than seven days.
import { createHash } from 'node:crypto';
import { toTurkeyTime } from '../../src/time/clock.ts';
import type { Address, Movement, Origin } from './movement.ts';
import { isEmail } from './rules.ts';

export const addressesMax = 250_000;
const brandsMax = 10_000;
const movementsMax = 500_000;
const movementsPerAddressMax = 50;
export const pullWindowMs = 7 * 86_400_000;

export type Subscription = { status: string; consentLimit: number; consentLimitExceed: boolean };
export type Brand = {
  brandCode: number;
  iysCode: number | null;
  name: string;
  addresses: Map<string, Address>;
  subscription: Subscription | null;
};
export type Draft = Pick<Movement, 'recipient' | 'recipientType' | 'type' | 'status' | 'source'> & {
  consentDate?: string;
  origin?: Origin;
};
export type Store = ReturnType<typeof createStore>;

/** E-mail addresses are stored lower-case. */
function recipientOf(given: unknown): string {
  const recipient = String(given);
  return isEmail(recipient) ? recipient.toLowerCase() : recipient;
}

export function addressKey(recipientType: unknown, type: unknown, recipient: unknown): string {
  return `${recipientType} ${type} ${recipientOf(recipient)}`;
}

// Brand, address and second of creation: two movements of one address in one second share the id, as in reality.
function transactionIdOf(brandCode: number, key: string, creationDate: string): string {
  return createHash('sha256').update(`${brandCode} ${key} ${creationDate}`).digest('hex');
}

export function createStore() {
  const brands = new Map<number, Brand>();
  const subscriptions = new Map<number, Subscription>();
  let log: Movement[] = [];
  let nextSeq = 1;
  let addresses = 0;

  function brand(brandCode: number): Brand | null {
    const found = brands.get(brandCode);
    if (found !== undefined) return found;
    if (brands.size >= brandsMax) return null;
    const made: Brand = {
      brandCode,
      iysCode: null,
      name: `Marka ${brandCode}`,
      addresses: new Map(),
      subscription: null,
    };
    brands.set(brandCode, made);
    return made;
  }

  function record(target: Brand, draft: Draft, nowMs: number): Movement {
    const creationDate = toTurkeyTime(new Date(nowMs));
    const recipient = recipientOf(draft.recipient);
    const key = addressKey(draft.recipientType, draft.type, recipient);
    const movement: Movement = {
      brandCode: target.brandCode,
      recipient,
      recipientType: draft.recipientType,
      type: draft.type,
      status: draft.status,
      ...(draft.source === undefined ? {} : { source: draft.source }),
      consentDate: draft.consentDate ?? creationDate,
      creationDate,
      transactionId: transactionIdOf(target.brandCode, key, creationDate),
      createdMs: nowMs,
      seq: nextSeq++,
      origin: draft.origin,
      sentDate: draft.consentDate,
    };
    keep(target, key, movement);
    return movement;
  }

  function keep(target: Brand, key: string, movement: Movement): void {
    const stored = target.addresses.get(key);
    if (stored === undefined) {
      target.addresses.set(key, { current: movement, movements: [movement] });
      addresses++;
    } else {
      stored.movements.push(movement);
      if (stored.movements.length > movementsPerAddressMax) stored.movements.shift();
      if (movement.consentDate >= stored.current.consentDate) stored.current = movement;
    }
    log.push(movement);
    // A tenth at a time: cutting one entry per arrival would copy the log each time.
    if (log.length > movementsMax * 1.1) log = log.slice(-movementsMax);
  }

  /**
   * The cursor names the last entry seen. A cursor from before a restart falls back to its second: it repeats entries but never
   * loses any.
   */
  function positionAfter(after: string | null): number {
    const found = /^(\d{1,12})_([0-9a-f]{64})(?:_(\d{1,15}))?$/.exec(after ?? '');
    if (found === null) return 0;
    const [, second, transactionId, seq] = found;
    const index = Number(seq) - (log[0]?.seq ?? 0);
    if (log[index]?.transactionId === transactionId) return index + 1;
    const start = log.findIndex(movement => movement.createdMs >= Number(second) * 1000);
    return start === -1 ? log.length : start;
  }

  function changes(
    brandCode: number,
    after: string | null,
    prefix: 'IYS' | 'HS',
    limit: number,
    from: number,
    to: number,
  ) {
    const list: Movement[] = [];
    for (let index = positionAfter(after); index < log.length && list.length < limit; index++) {
      const movement = log[index];
      if (movement === undefined || movement.createdMs > to) break;
      if (movement.brandCode !== brandCode || movement.createdMs < from) continue;
      if ((movement.source ?? 'HS_').startsWith(`${prefix}_`)) list.push(movement);
    }
    return list;
  }

  return {
    brands,
    subscriptions,
    brand,
    record,
    changes,
    addressCount: () => addresses,
    movementCount: () => nextSeq - 1,
    clear() {
      brands.clear();
      subscriptions.clear();
      log = [];
      addresses = 0;
      nextSeq = 1;
    },
  };
}

export function cursorOf(movement: Movement): string {
  return `${Math.floor(movement.createdMs / 1000)}_${movement.transactionId}_${movement.seq}`;
}

/** The consent as the registry shows it. */
export function shown(movement: Movement): Record<string, unknown> {
  const { createdMs, seq, origin, sentDate, brandCode, ...rest } = movement;
  return rest;
}
