// Recipients for journeys. The last four digits decide a number's fate at the simulator, so ordinary numbers stay below 9000.
const plainPerBlock = 9_000;
const block = 10_000;

/** `count` numbers that are delivered; another `series` (0 to 899) gives others. */
export function plainNumbers(count: number, series = 0): string[] {
  return Array.from({ length: count }, (_, i) => {
    const place = Math.floor(i / plainPerBlock) * block + (i % plainPerBlock);
    return String(5_501_000_000 + series * 100_000 + place);
  });
}

/** A number with one of the fates 9001 to 9011. */
export function fatedNumber(fate: number, series = 0): string {
  return String(5_550_000_000 + series * block + fate);
}
