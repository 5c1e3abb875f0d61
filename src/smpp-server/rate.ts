// The rate limit of one user over all of its binds: a token bucket, one token for each part. It holds a second's worth, and never
// less than a long message needs. After the first part of a message was accepted the others may overdraw the bucket: a message is
// refused as a whole or not at all. Each node has a share of the rate, in proportion to its share of the user's binds.

import type { Concat } from '../text/decode.ts';
import { monotonicMs } from '../time/clock.ts';

const burstMin = 8;
const groupsMax = 10_000;
const groupMs = 10 * 60_000;
const refusedMs = 10_000;

/** The accepted parts of a message. */
type Begun = { at: number; sequences: Set<number> };
type Refused = { at: number; sequence: number };

export class UserRate {
  #perSecond: number | null = null;
  #tokens = burstMin;
  #at = monotonicMs();
  /** Messages of which a part was accepted, oldest first. */
  readonly #begun = new Map<string, Begun>();
  /** Messages of which a part was refused: the others are refused too, until that part is repeated. */
  readonly #refused = new Map<string, Refused>();

  /** Null: no limit. */
  set(perSecond: number | null): void {
    this.#refill();
    this.#perSecond = perSecond;
  }

  /** `recipients`: the tokens to take; more than one for submit_multi. */
  take(recipients: number, part: { sender: string; recipient: string; concat: Concat } | null): boolean {
    if (this.#perSecond === null) return true;
    this.#refill();
    const group = part && `${part.sender} ${part.recipient} ${part.concat.reference} ${part.concat.total}`;
    if (group === null) return this.#tokens >= 1 && this.#spend(recipients);
    const { sequence } = part!.concat;
    const begun = this.#begun.get(group);
    const isBegun = begun !== undefined && isFresh(begun.at, groupMs);
    if (isBegun && !begun.sequences.has(sequence)) {
      begun.sequences.add(sequence);
      return this.#spend(recipients);
    }
    const refused = this.#refused.get(group);
    const isOther = !isBegun && isFresh(refused?.at, refusedMs) && refused?.sequence !== sequence;
    if (isOther || this.#tokens < 1) {
      if (!isOther && !isBegun) keep(this.#refused, group, { at: monotonicMs(), sequence });
      return false;
    }
    if (!isBegun) keep(this.#begun, group, { at: monotonicMs(), sequences: new Set([sequence]) });
    return this.#spend(recipients);
  }

  #spend(recipients: number): true {
    this.#tokens -= recipients;
    return true;
  }

  #refill(): void {
    const now = monotonicMs();
    const rate = this.#perSecond ?? 0;
    this.#tokens = Math.min(Math.max(burstMin, rate), this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
  }
}

function isFresh(at: number | undefined, ms: number): boolean {
  return at !== undefined && monotonicMs() - at < ms;
}

function keep<Seen>(groups: Map<string, Seen>, group: string, seen: Seen): void {
  groups.delete(group);
  groups.set(group, seen);
  if (groups.size > groupsMax) groups.delete(groups.keys().next().value!);
}
