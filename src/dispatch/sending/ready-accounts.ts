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
/** Well within the time that a fresh claim looks back, which would miss what became due in between. */
const sweptMostMs = 10_000;
/** While an old snapshot is held, whoever looks for everything walks over all that was ever there: one part in so many of the time goes into it. */
const partOfTime = 20;

type Asked = Pick<AskedAccount, 'id' | 'fresh'>;

export class ReadyAccounts {
  /** Account → when to ask again. */
  readonly #at = new Map<number, number>();
  /** Accounts of which something was heard since they were asked last: what a claim under way says of them may be old. */
  readonly #heard = new Set<number>();
  /** Account → until when nothing old can be there, because a claim of everything left nothing. */
  readonly #sweptUntil = new Map<number, number>();
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
    const time = this.#clock();
    for (const [account, until] of this.#sweptUntil) if (until < time) this.#sweptUntil.delete(account);
  }

  /** Somebody else may hold, or may have given back, what we believe to know of. */
  forgetSwept(): void {
    this.#sweptUntil.clear();
  }

  /** The next accounts in turn whose time has come; each goes to the end of the line. */
  due(): Asked[] {
    const time = this.#clock();
    const due: Asked[] = [];
    for (const [id, at] of this.#at) {
      if (at > time) continue;
      due.push({ id, fresh: time < (this.#sweptUntil.get(id) ?? Number.NEGATIVE_INFINITY) });
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
    const sweptUntil = askedAtMs + pauseAfter(this.#clock() - askedAtMs, sweptMs, sweptMostMs);
    for (const { id, fresh } of asked) {
      const answer = answers.get(id);
      if (answer && answer.waitMs !== null) this.#at.set(id, this.#clock() + answer.waitMs);
      else if (answer?.more) this.#sweptUntil.delete(id);
      else {
        if (!this.#heard.has(id)) this.#at.delete(id);
        if (!fresh) this.#sweptUntil.set(id, sweptUntil);
      }
    }
  }
}

/** How long to wait before looking for everything again, when it took so long: `leastMs` as a rule. */
export function pauseAfter(tookMs: number, leastMs: number, mostMs: number): number {
  return Math.min(Math.max(leastMs, tookMs * partOfTime), mostMs);
}
