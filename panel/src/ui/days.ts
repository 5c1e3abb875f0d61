// Days of a list's filter, in its address and as instants.
import { turkeyMoment } from '../format.ts';
import type { Search, SearchKey } from './search-state.ts';

export const fromKey = 'bas' as const;
export const toKey = 'bit' as const;

/** Keys in the address that a filter uses. */
export const keysOf = (filter: { key: SearchKey; kind?: string }): SearchKey[] =>
  filter.kind === 'days' ? [fromKey, toKey] : [filter.key];

/** The address can be edited by hand: an invalid day is ignored. */
export function dayIn(address: Search, key: SearchKey): string | undefined {
  const day = address[key];
  return day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? day : undefined;
}

/** The whole day in Turkey. */
export const dayStart = (day: string | undefined): string | undefined =>
  day ? new Date(turkeyMoment(day, '00:00:00')).toISOString() : undefined;
export const dayEnd = (day: string | undefined): string | undefined =>
  day ? new Date(turkeyMoment(day, '23:59:59.999')).toISOString() : undefined;
