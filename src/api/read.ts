// Reads pages and time bounds, with the refusals that several operations share.
import type { Moment } from '../contract/habits.ts';
import { Refusal } from '../status.ts';
import type { TimeFilter } from './lists-contract.ts';

/** Returns null for a page below 1 or not a number. */
export function requirePage(page: number | null): number {
  if (page === null) throw new Refusal(464);
  return page;
}

/** Converts the last included instant to an exclusive bound: a time counts to the second, a bare date to its whole day. */
export function endOf(moment: Moment): Date {
  return new Date(moment.time.getTime() + (moment.wholeDay ? 86_400_000 : 1_000));
}

type TimeRange = { start: Date | null; end: Date | null };

/** Reads `filter.start` and `filter.end` of get-blacklist and get-inbox; a bad date is 422 with its field named. */
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
