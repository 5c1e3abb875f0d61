// What several operations make of a page and of bounds in time, refusals included.
import type { Moment } from '../contract/habits.ts';
import { Refusal } from '../status.ts';
import type { TimeFilter } from './lists-contract.ts';

/** null is what a page is read as that is below 1 or no number. */
export function requirePage(page: number | null): number {
  if (page === null) throw new Refusal(464);
  return page;
}

/** The last instant a bound includes, made exclusive: bounds count to the second, a bare date to its whole day. */
export function endOf(moment: Moment): Date {
  return new Date(moment.time.getTime() + (moment.wholeDay ? 86_400_000 : 1_000));
}

export type TimeRange = { start: Date | null; end: Date | null };

/** `filter.start` and `filter.end` of get-blacklist and get-inbox; a bad date is 422 with its field named. */
export function requireTimeRange({ start, end }: TimeFilter): TimeRange {
  const errors: Record<string, string> = {};
  if (start === 'malformed') errors['start'] = wrongDate('start');
  if (end === 'malformed') errors['end'] = wrongDate('end');
  if (start === 'malformed' || end === 'malformed') throw new Refusal(422, errors);
  return { start: start?.time ?? null, end: end && endOf(end) };
}

function wrongDate(name: string): string {
  return `${name} Y-m-d H:i:s biçimi ile eşleşmiyor.`;
}
