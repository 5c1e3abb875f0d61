// Keeps the client within the registry's published rates. The pacer spaces all requests of a client evenly; the windows count
// operations with an hourly rate. Both are bounded: a call that would wait too long is refused instead.
import { monotonicMs, nowMs } from '../../time/clock.ts';

export type RegistryClock = {
  nowMs(): number;
  monotonicMs(): number;
  sleep(ms: number): Promise<void>;
};

export const systemClock: RegistryClock = {
  nowMs,
  monotonicMs,
  sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
};

export type Pacer = {
  /** Returns 0 after the caller's turn has come; otherwise the queue is full and the turn would come after this many ms. */
  turn(): Promise<number>;
  /** The registry answered 429: no request starts before the pause is over. */
  pause(ms: number): void;
};

// Requests spaced evenly by 1/rate can still arrive closer together than they left; 5 % more keeps every second below the rate.
const spacingMargin = 1.05;

export function createPacer(perSecond: number, waitingMsMax: number, clock: RegistryClock): Pacer {
  const gapMs = (1000 / perSecond) * spacingMargin;
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return {
    async turn() {
      const now = clock.monotonicMs();
      const atMs = Math.max(now, freeAtMs);
      if (atMs - now > waitingMsMax) return Math.ceil(atMs - now);
      freeAtMs = atMs + gapMs;
      if (atMs > now) await clock.sleep(Math.ceil(atMs - now));
      return 0;
    },
    pause(ms) {
      freeAtMs = Math.max(freeAtMs, clock.monotonicMs() + ms);
    },
  };
}

export type Allowance = {
  /** Returns 0 and uses a place, or the time until the next place is free. */
  use(): number;
};

export function createAllowance(max: number, periodMs: number, clock: RegistryClock): Allowance {
  const used: number[] = [];
  return {
    use() {
      const now = clock.monotonicMs();
      while (used.length > 0 && (used[0] ?? now) <= now - periodMs) used.shift();
      if (used.length >= max) return Math.max(1, Math.ceil((used[0] ?? now) + periodMs - now));
      used.push(now);
      return 0;
    },
  };
}
