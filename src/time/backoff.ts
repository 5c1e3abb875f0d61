// Growing pauses with jitter: base × 2^attempt, at most `maxMs`, spread by ±20 % so that many peers do not retry at once.
export function backoffMs(attempt: number, baseMs: number, maxMs: number, random: () => number = Math.random): number {
  const plain = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return Math.round(plain * (0.8 + 0.4 * random()));
}
