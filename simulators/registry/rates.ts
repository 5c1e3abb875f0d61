// The registry's rates. All callers are on loopback, so the simulator counts them as one address. A counted request expires
// after the period; a refused request does not count.
type Window = { take(max: number, nowMs: number): boolean; clear(): void };

export function createWindow(periodMs: number): Window {
  let taken: number[] = [];
  return {
    take(max, nowMs) {
      if (max === 0) return true;
      if ((taken[0] ?? nowMs) <= nowMs - periodMs) taken = taken.filter(time => time > nowMs - periodMs);
      if (taken.length >= max) return false;
      taken.push(nowMs);
      return true;
    },
    clear() {
      taken = [];
    },
  };
}

/** The token limit is stricter: a request before the hour is over restarts the hour. */
export function createPenaltyWindow(periodMs: number): Window {
  const inner = createWindow(periodMs);
  let closedUntilMs = 0;
  return {
    take(max, nowMs) {
      if (max === 0) return true;
      const free = nowMs >= closedUntilMs && inner.take(max, nowMs);
      if (free) return true;
      closedUntilMs = nowMs + periodMs;
      inner.clear();
      return false;
    },
    clear() {
      closedUntilMs = 0;
      inner.clear();
    },
  };
}
