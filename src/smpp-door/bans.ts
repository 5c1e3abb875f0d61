// Addresses that tried five bad logins are let alone for five minutes: whatever they say then is not even looked at. Counted by
// this node; an address that is not on the list of the user it names counts as a bad login as well.
import { monotonicMs } from '../clock.ts';

const failuresMax = 5;
const banMs = 5 * 60_000;
const trackedMax = 50_000;

type Failures = { count: number; since: number; bannedUntil: number };

export class Bans {
  readonly #failures = new Map<string, Failures>();

  isBanned(address: string): boolean {
    return (this.#failures.get(address)?.bannedUntil ?? 0) > monotonicMs();
  }

  /** Returns whether this one began a ban. */
  failed(address: string): boolean {
    const time = monotonicMs();
    const known = this.#failures.get(address);
    const fresh = known && time - known.since < banMs ? known : { count: 0, since: time, bannedUntil: 0 };
    fresh.count++;
    this.#failures.delete(address);
    this.#failures.set(address, fresh);
    if (this.#failures.size > trackedMax) this.#failures.delete(this.#failures.keys().next().value!);
    if (fresh.count < failuresMax) return false;
    fresh.bannedUntil = time + banMs;
    return true;
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }
}
