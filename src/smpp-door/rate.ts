// The rate of one user over all of its binds: a bucket of tokens, one for each part. It holds a second's worth and never less
// than what a long message needs. Once the first part of a message was let in, the others may take what is not there yet: a
// message is refused whole or not at all. Of several nodes each has its share of the rate, by its share of the binds.
import { monotonicMs } from '../clock.ts';
import type { Concat } from '../text/decode.ts';

const burstMin = 8;
const groupsMax = 10_000;
const groupMs = 10 * 60_000;

export class UserRate {
  #perSecond: number | null = null;
  #tokens = burstMin;
  #at = monotonicMs();
  /** Messages whose first part was let in, oldest first. */
  readonly #begun = new Map<string, number>();

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
    const begun = group !== null && this.#hasBegun(group);
    if (!begun && this.#tokens < 1) return false;
    this.#tokens -= recipients;
    if (group !== null && !begun) this.#begin(group);
    return true;
  }

  #refill(): void {
    const now = monotonicMs();
    const rate = this.#perSecond ?? 0;
    this.#tokens = Math.min(Math.max(burstMin, rate), this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
  }

  #hasBegun(group: string): boolean {
    const since = this.#begun.get(group);
    return since !== undefined && monotonicMs() - since < groupMs;
  }

  #begin(group: string): void {
    this.#begun.delete(group);
    this.#begun.set(group, monotonicMs());
    if (this.#begun.size > groupsMax) this.#begun.delete(this.#begun.keys().next().value!);
  }
}
