// The rate of one user over all of its binds: a bucket of tokens, one for each part. It holds a second's worth and never less
// than what a long message needs. Once the first part of a message was let in, the others may take what is not there yet: a
// message is refused whole or not at all. Of several nodes each has its share of the rate, by its share of the binds.

import type { Concat } from '../text/decode.ts';
import { monotonicMs } from '../time/clock.ts';

const burstMin = 8;
const groupsMax = 10_000;
const groupMs = 10 * 60_000;
const refusedMs = 10_000;

/** Of a message of which a part was let in: its parts that have been. */
type Begun = { at: number; sequences: Set<number> };
type Refused = { at: number; sequence: number };

export class UserRate {
  #perSecond: number | null = null;
  #tokens = burstMin;
  #at = monotonicMs();
  /** Messages of which a part was let in, oldest first: the others follow. */
  readonly #begun = new Map<string, Begun>();
  /** Messages of which a part was refused: the others are too, until that one comes again. */
  readonly #refused = new Map<string, Refused>();

  /** null: no limit. */
  set(perSecond: number | null): void {
    this.#refill();
    this.#perSecond = perSecond;
  }

  /** `recipients` for submit_multi; one message then takes as many. */
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
