// Positions in the server's log (WAL): as the server writes them (`1A/2B000000`), as numbers, and as names of its files.

export function isLsn(given: unknown): given is string {
  return typeof given === 'string' && /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i.test(given);
}

export function positionOf(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function lsnOf(position: bigint): string {
  return `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffff_ffffn).toString(16).toUpperCase()}`;
}

export function segmentStart(position: bigint, segmentBytes: number): bigint {
  return position - (position % BigInt(segmentBytes));
}

/** The name of the file with this position. Names of one timeline sort like their positions. */
export function segmentName(timeline: number, position: bigint, segmentBytes: number): string {
  const number = position / BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  return [BigInt(timeline), number / perHigh, number % perHigh].map(eightDigits).join('');
}

function eightDigits(value: bigint): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
