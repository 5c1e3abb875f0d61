// Accounts of one lane that may have work, in turns: told by a notification, found by a look, or asked again at a time that their last
// claim named. Each is asked for what became due since the oldest of it that was heard of, never for everything: while an old snapshot is
// held, a claim of everything walks over all that was ever there, and a one-time code waits for it (docs/decisions/0020-old-snapshots.md).
import { monotonicMs } from '../time/clock.ts';
import type { AccountWithWork, AskedAccount, ClaimedChunk } from './claim.ts';

const accountsAtOnce = 32;
/** An order is heard of so long after the time it carries, as a rule; one that took longer to be stored is found by the next look. */
const storingMs = 4_000;
/** From here on there is no use in telling how old it is. */
const everythingMs = 86_400_000;

type Asked = Pick<AskedAccount, 'id' | 'backMs'>;
/** `at`: when to ask; `since`: what to ask for; `heard`: what was heard of since it was asked, which the claim under way may not know of. */
type Turn = { at: number; since: number; heard: number };

export class ReadyAccounts {
  readonly #turns = new Map<number, Turn>();
  readonly #clock: () => number;

  constructor(clock = monotonicMs) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#turns.size > 0;
  }

  /** Something of it became due just now. */
  hear(account: number): void {
    const turn = this.#turn(account);
    turn.at = 0;
    turn.heard = Math.min(turn.heard, this.#clock() - storingMs);
  }

  /** What a look found that began at this time. */
  found(accounts: AccountWithWork[], lookedAtMs: number): void {
    for (const { accountId, oldestMs } of accounts) {
      const turn = this.#turn(accountId);
      const since = lookedAtMs - oldestMs - storingMs;
      if (since < turn.since) turn.heard = Math.min(turn.heard, since);
    }
  }

  /** The next accounts in turn whose time has come; each goes to the end of the line. */
  due(): Asked[] {
    const time = this.#clock();
    const due: Asked[] = [];
    for (const [id, turn] of this.#turns) {
      if (turn.at > time) continue;
      turn.since = Math.min(turn.since, turn.heard);
      turn.heard = Infinity;
      turn.at = 0;
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

  /** How long until the next one's time has come, `mostMs` at most. */
  pauseMs(mostMs: number): number {
    const time = this.#clock();
    let next = time + mostMs;
    for (const { at } of this.#turns.values()) next = Math.min(next, at);
    return Math.max(1, next - time);
  }

  /** What the claim told of those that were asked. */
  answered(asked: Asked[], claimed: ClaimedChunk[]): void {
    const answers = new Map(claimed.map(one => [one.accountId, one]));
    for (const { id } of asked) {
      const turn = this.#turn(id);
      const answer = answers.get(id);
      if (answer && answer.waitMs !== null) turn.at = this.#clock() + answer.waitMs;
      else if (answer?.more) continue;
      else if (turn.heard === Infinity) this.#turns.delete(id);
      else turn.since = Infinity;
    }
  }

  #turn(account: number): Turn {
    const turn = this.#turns.get(account) ?? { at: 0, since: Infinity, heard: Infinity };
    this.#turns.set(account, turn);
    return turn;
  }
}
