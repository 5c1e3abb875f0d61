// Iterates over lists that come in pages.
import { fromTurkeyTime, type Time, toTurkeyTime } from './times.ts';
import { limits } from './wire.ts';

/** Reads pages until one is not full. An item that moved to the next page because a newer one was added is returned once. */
export async function* pagesOf<Row>(
  rowsOfPage: (page: number) => Promise<readonly Row[]>,
  rowsPerPage: number,
  idOf?: (row: Row) => unknown,
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<unknown>();
  for (let page = 1; ; page++) {
    const rows = await rowsOfPage(page);
    for (const row of rows) {
      if (idOf && seen.size === seen.add(idOf(row)).size) continue;
      yield row;
    }
    if (rows.length < rowsPerPage) return;
  }
}

const dayMs = 86_400_000;

/**
 * Divides a range into pieces of the longest range that one request may have, newest first; bounds are inclusive, to
 * the second.
 */
export function* rangesOf(start: Time, end: Time): Generator<{ start: string; end: string }> {
  const first = momentOf(start, 0);
  let last = momentOf(end, dayMs - 1_000);
  while (last >= first) {
    const from = Math.max(first, last - limits.reportRangeDays * dayMs + 1_000);
    yield { start: toTurkeyTime(new Date(from)), end: toTurkeyTime(new Date(last)) };
    last = from - 1_000;
  }
}

/** A date without a time means the whole day. */
function momentOf(time: Time, ofWholeDay: number): number {
  if (typeof time !== 'string') return Math.floor(time.getTime() / 1_000) * 1_000;
  return fromTurkeyTime(time).getTime() + (time.length === 10 ? ofWholeDay : 0);
}
