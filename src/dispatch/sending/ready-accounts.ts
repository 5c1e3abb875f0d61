// Accounts of one lane that may have work, in turns: told by a notification, found by a look, or asked again at a time that their last
// claim named.
import { monotonicMs } from '../../clock.ts';
import type { AskedAccount, ClaimedChunk } from '../../orders/claim.ts';

const accountsAtOnce = 32;
/**
 * So long after a claim of everything that left nothing, only what became due since is looked for (claim_chunks_4). What comes late with an
 * old time (a lease given back, an order that took long to be stored) waits as long at most.
 */
const sweptMs = 2_000;
const sweptMostMs = 10_000;
/** An order is seen so long after the time it carries, as a rule. */
const storingMs = 4_000;
/** While an old snapshot is held, whoever looks for everything walks over all that was ever there: one part in so many of the time goes into it. */
const partOfTime = 20;

type Asked = Pick<AskedAccount, 'id' | 'backMs'>;
/** A claim of everything left nothing: it need not be repeated until then. The last claim that left nothing was asked for at `clearAt`. */
type Swept = { until: number; clearAt: number };

export class ReadyAccounts {
  /** Account → when to ask again. */
  readonly #at = new Map<number, number>();
  /** Accounts of which something was heard since they were asked last: what a claim under way says of them may be old. */
  readonly #heard = new Set<number>();
  readonly #swept = new Map<number, Swept>();
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
    for (const [account, { until }] of this.#swept) if (until < time) this.#swept.delete(account);
  }

  /** Somebody else may hold, or may have given back, what we believe to know of. */
  forgetSwept(): void {
    this.#swept.clear();
  }

  /** The next accounts in turn whose time has come; each goes to the end of the line. */
  due(): Asked[] {
    const time = this.#clock();
    const due: Asked[] = [];
    for (const [id, at] of this.#at) {
      if (at > time) continue;
      const swept = this.#swept.get(id);
      due.push({ id, backMs: swept && time < swept.until ? Math.ceil(time - swept.clearAt) + storingMs : null });
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
    const until = askedAtMs + pauseAfter(this.#clock() - askedAtMs, sweptMs, sweptMostMs);
    for (const { id, backMs } of asked) {
      const answer = answers.get(id);
      const isAll = backMs === null;
      if (answer && answer.waitMs !== null) this.#at.set(id, this.#clock() + answer.waitMs);
      else if (answer?.more) isAll && this.#swept.delete(id);
      else {
        if (!this.#heard.has(id)) this.#at.delete(id);
        const swept = this.#swept.get(id);
        if (isAll) this.#swept.set(id, { until, clearAt: askedAtMs });
        else if (swept) swept.clearAt = askedAtMs;
      }
    }
  }
}

/** How long to wait before looking for everything again, when it took so long: `leastMs` as a rule. */
export function pauseAfter(tookMs: number, leastMs: number, mostMs: number): number {
  return Math.min(Math.max(leastMs, tookMs * partOfTime), mostMs);
}
