// The rate of one user over all of its binds: a bucket of tokens, one for each part. It holds a second's worth and never less
// than what a long message needs. Once the first part of a message was let in, the others may take what is not there yet: a
// message is refused whole or not at all. Of several nodes each has its share of the rate, by its share of the binds.
import { monotonicMs } from '../clock.ts';
import type { Concat } from '../text/decode.ts';

const burstMin = 8;
const groupsMax = 10_000;
const groupMs = 10 * 60_000;
const refusedMs = 10_000;

type Seen = { at: number; sequence: number };

export class UserRate {
  #perSecond: number | null = null;
  #tokens = burstMin;
  #at = monotonicMs();
  /** Messages of which a part was let in, oldest first: the others follow. */
  readonly #begun = new Map<string, Seen>();
  /** Messages of which a part was refused: the others are too, until that one comes again. */
  readonly #refused = new Map<string, Seen>();

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
    if (group !== null && isFresh(this.#begun.get(group)?.at, groupMs)) return this.#spend(recipients);
    const refused = group === null ? undefined : this.#refused.get(group);
    const isOther = isFresh(refused?.at, refusedMs) && refused?.sequence !== part?.concat.sequence;
    if (isOther || this.#tokens < 1) {
      if (group !== null && !isOther) keep(this.#refused, group, part!.concat.sequence);
      return false;
    }
    if (group !== null) keep(this.#begun, group, part!.concat.sequence);
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

function keep(groups: Map<string, Seen>, group: string, sequence: number): void {
  groups.delete(group);
  groups.set(group, { at: monotonicMs(), sequence });
  if (groups.size > groupsMax) groups.delete(groups.keys().next().value!);
}
