// Accounts of one lane that may have work, in turns: known from a notification, from polling, or from the waiting time of their
// last claim. A claim looks only for chunks that became due since the oldest one we know of: while an old snapshot is held, a claim
// without a bound reads all dead rows, and one-time codes wait for it (docs/decisions/0020-old-snapshots.md).
import { monotonicMs } from '../time/clock.ts';
import type { AccountWithWork, AskedAccount, ClaimedChunk } from './claim.ts';

const accountsAtOnce = 32;
/** An order is usually known this long after its time; polling finds one that took longer to be stored. */
const storingMs = 4_000;
/** Beyond this age a claim has no bound. */
const everythingMs = 86_400_000;

type Asked = Pick<AskedAccount, 'id' | 'backMs'>;
type Demand = 'all' | 'small';
/**
 * `at`: when to claim; `since`: due since then; `heard`: known since the last claim began, which may have missed it; `onlyLarge`: a claim for
 * small orders found none, and large ones were not asked for.
 */
type Turn = { at: number; since: number; heard: number; onlyLarge: boolean };

const isPassedOver = (turn: Turn, demand: Demand) => demand === 'small' && turn.onlyLarge;

export class ReadyAccounts {
  readonly #turns = new Map<number, Turn>();
  readonly #clock: () => number;

  constructor(clock = monotonicMs) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#turns.size > 0;
  }

  /** A chunk of the account has just become due. */
  hear(account: number): void {
    const turn = this.#turn(account);
    turn.at = 0;
    turn.onlyLarge = false;
    turn.heard = Math.min(turn.heard, this.#clock() - storingMs);
  }

  /** The result of polling that began at this time. */
  found(accounts: AccountWithWork[], lookedAtMs: number): void {
    for (const { accountId, oldestMs } of accounts) {
      const turn = this.#turn(accountId);
      const since = lookedAtMs - oldestMs - storingMs;
      if (since < turn.since) turn.heard = Math.min(turn.heard, since);
    }
  }

  /** The next accounts to claim for; each goes to the end of the queue. */
  due(demand: Demand): Asked[] {
    const time = this.#clock();
    const due: Asked[] = [];
    for (const [id, turn] of this.#turns) {
      if (turn.at > time || isPassedOver(turn, demand)) continue;
      turn.since = Math.min(turn.since, turn.heard);
      turn.heard = Infinity;
      turn.at = 0;
      turn.onlyLarge = false;
      const backMs = Math.ceil(time - turn.since);
      due.push({ id, backMs: backMs < everythingMs ? backMs : null });
      if (due.length === accountsAtOnce) break;
    }
    for (const { id } of due) {
      const turn = this.#turns.get(id)!;
      this.#turns.delete(id);
      this.#turns.set(id, turn);
    }
    return due;
  }

  /** How long until the next account is due, `mostMs` at most. */
  pauseMs(mostMs: number, demand: Demand): number {
    const time = this.#clock();
    let next = time + mostMs;
    for (const turn of this.#turns.values()) if (!isPassedOver(turn, demand)) next = Math.min(next, turn.at);
    return Math.max(1, next - time);
  }

  /** Applies the result of a claim for these accounts. */
  answered(asked: Asked[], claimed: ClaimedChunk[], demand: Demand): void {
    const answers = new Map(claimed.map(one => [one.accountId, one]));
    for (const { id } of asked) {
      const turn = this.#turn(id);
      const answer = answers.get(id);
      if (answer && answer.waitMs !== null) turn.at = this.#clock() + answer.waitMs;
      else if (answer?.more) continue;
      else if (demand === 'small') turn.onlyLarge = turn.heard === Infinity;
      else if (turn.heard === Infinity) this.#turns.delete(id);
      else turn.since = Infinity;
    }
  }

  #turn(account: number): Turn {
    const turn = this.#turns.get(account) ?? { at: 0, since: Infinity, heard: Infinity, onlyLarge: false };
    this.#turns.set(account, turn);
    return turn;
  }
}
