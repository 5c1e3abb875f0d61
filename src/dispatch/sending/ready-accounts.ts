// Accounts of one lane that may have work, in turns: told by a notification, found by a look, or asked again at a time that their last
// claim named.
import { monotonicMs } from '../../clock.ts';
import type { AskedAccount, ClaimedChunk } from '../../orders/claim.ts';

const accountsAtOnce = 32;
/**
 * So long after a claim that left nothing behind, only what became due since is looked for (claim_chunks_3). What comes late with an
 * old time (a lease given back, an order that took twenty seconds to be stored) waits as long at most.
 */
const sweptMs = 2_000;

type Asked = Pick<AskedAccount, 'id' | 'fresh'>;

export class ReadyAccounts {
  /** Account → when to ask again. */
  readonly #at = new Map<number, number>();
  /** Accounts of which something was heard since they were asked last: what a claim under way says of them may be old. */
  readonly #heard = new Set<number>();
  /** Account → when a claim of everything that was due left nothing. */
  readonly #sweptAt = new Map<number, number>();
  readonly #clock: () => number;

  constructor(clock = monotonicMs) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#at.size > 0;
  }

  hear(account: number): void {
    this.#at.set(account, 0);
    this.#heard.add(account);
  }

  found(accounts: number[]): void {
    for (const account of accounts) if (!this.#at.has(account)) this.#at.set(account, 0);
    const old = this.#clock() - sweptMs;
    for (const [account, at] of this.#sweptAt) if (at < old) this.#sweptAt.delete(account);
  }

  /** Somebody else may hold, or may have given back, what we believe to know of. */
  forgetSwept(): void {
    this.#sweptAt.clear();
  }

  /** The next accounts in turn whose time has come; each goes to the end of the line. */
  due(): Asked[] {
    const time = this.#clock();
    const due: Asked[] = [];
    for (const [id, at] of this.#at) {
      if (at > time) continue;
      due.push({ id, fresh: time - (this.#sweptAt.get(id) ?? Number.NEGATIVE_INFINITY) < sweptMs });
      if (due.length === accountsAtOnce) break;
    }
    for (const { id } of due) {
      this.#at.delete(id);
      this.#at.set(id, 0);
      this.#heard.delete(id);
    }
    return due;
  }

  /** How long until the next one's time has come, `mostMs` at most. */
  pauseMs(mostMs: number): number {
    const time = this.#clock();
    let next = time + mostMs;
    for (const at of this.#at.values()) next = Math.min(next, at);
    return Math.max(1, next - time);
  }

  /** What their claim told of those that were asked at this time. */
  answered(asked: Asked[], claimed: ClaimedChunk[], askedAtMs: number): void {
    const answers = new Map(claimed.map(one => [one.accountId, one]));
    for (const { id, fresh } of asked) {
      const answer = answers.get(id);
      if (answer && answer.waitMs !== null) this.#at.set(id, this.#clock() + answer.waitMs);
      else if (answer?.more) this.#sweptAt.delete(id);
      else {
        if (!this.#heard.has(id)) this.#at.delete(id);
        if (!fresh) this.#sweptAt.set(id, askedAtMs);
      }
    }
  }
}
