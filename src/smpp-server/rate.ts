// The rate limit of one user over all of its binds: a token bucket, one token for each part. It holds a second's worth, and never
// less than a long message needs. The first part of a message decides for the others, which may overdraw the bucket: a message is
// refused as a whole or not at all. Each node has a share of the rate, in proportion to its share of the user's binds.

import { keepNewest } from '../limits.ts';
import type { Concat } from '../text/decode.ts';
import { monotonicMs } from '../time/clock.ts';

const burstMin = 8;
const messagesMax = 20_000;
/** How long the first part decides: until an accepted message is complete, or a refused part is repeated. */
const decidedMs = { accepted: 10 * 60_000, refused: 10_000 };

type Part = { sender: string; recipient: string; concat: Concat };
/** A long message: the parts that were accepted, or the one that was refused. */
type Decided = { at: number; as: keyof typeof decidedMs; sequences: Set<number> };

export class UserRate {
  #perSecond: number | null = null;
  #tokens = burstMin;
  #at = monotonicMs();
  readonly #decided = new Map<string, Decided>();

  /** Null: no limit. */
  set(perSecond: number | null): void {
    this.#refill();
    this.#perSecond = perSecond;
  }

  /** `recipients`: the tokens to take; more than one for submit_multi. */
  take(recipients: number, part: Part | null): boolean {
    if (this.#perSecond === null) return true;
    this.#refill();
    const isAllowed = part ? this.#allows(part) : this.#tokens >= 1;
    if (isAllowed) this.#tokens -= recipients;
    return isAllowed;
  }

  #allows({ sender, recipient, concat: { reference, total, sequence } }: Part): boolean {
    const name = `${sender} ${recipient} ${reference} ${total}`;
    const at = monotonicMs();
    const found = this.#decided.get(name);
    const known = found && at - found.at < decidedMs[found.as] ? found : undefined;
    if (known && !known.sequences.has(sequence)) {
      if (known.as === 'accepted') known.sequences.add(sequence);
      return known.as === 'accepted';
    }
    const as = this.#tokens >= 1 ? 'accepted' : 'refused';
    if (known?.as !== 'accepted')
      keepNewest(this.#decided, name, { at, as, sequences: new Set([sequence]) }, messagesMax);
    return as === 'accepted';
  }

  #refill(): void {
    const now = monotonicMs();
    const rate = this.#perSecond ?? 0;
    this.#tokens = Math.min(Math.max(burstMin, rate), this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
  }
}
