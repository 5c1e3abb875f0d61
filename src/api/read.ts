// Reading what clients really send: ids and pages as string or number, times in several spellings. Generous in, exact out.
import { fromTurkeyTime } from '../clock.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { asMembers, type Members, own } from './envelope.ts';

/** A positive whole number given as a number or as digits; null for anything else. */
export function readId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return null;
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Absent, null and "" mean page 1; null when it is below 1 or no number. Pages past the end are empty, not wrong. */
export function findPage(value: unknown): number | null {
  return value === undefined || value === null || value === '' ? 1 : readId(value);
}

export function readPage(value: unknown): number {
  const page = findPage(value);
  if (page === null) throw new Refusal(464);
  return page;
}

export function readRowCount(value: unknown): number {
  const rowCount = readId(value) ?? limits.rowsPerPage;
  return Math.min(rowCount, limits.rowsPerPage);
}

const wholeNumber = /^-?\d{1,15}$/;

/** A list, also as PHP writes one with gaps: an object whose keys are whole numbers, in their order. null = no list. */
export function findList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const members = asMembers(value);
  const keys = members ? Object.keys(members) : [];
  if (keys.length === 0 || !keys.every(key => wholeNumber.test(key))) return null;
  return keys.sort((a, b) => Number(a) - Number(b)).map(key => members![key]);
}

export type Moment = { time: Date; wholeDay: boolean };

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const dayFirst = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?$/;

/** `YYYY-MM-DD`, with or without a time, in Turkey's local time; null when it is no such date. */
export function readMoment(value: unknown): Moment | null {
  const match = typeof value === 'string' ? isoDate.exec(value.trim()) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0));
  const time = fromTurkeyTime(year!, month!, day!, hour!, minute!, second!);
  return time && { time, wholeDay: match[4] === undefined };
}

/** When an order is to be sent: null = now. Published examples use all four spellings. */
export function readSendTime(value: unknown): Date | null | 'malformed' {
  const list = findList(value);
  const given = list && list.length <= 1 ? list[0] : value;
  if (given === undefined || given === null || given === '') return null;
  if (typeof given !== 'string') return 'malformed';
  const text = given.trim();
  const match = dayFirst.exec(text);
  if (match) {
    const [day, month, year, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0));
    return fromTurkeyTime(year!, month!, day!, hour!, minute!, second!) ?? 'malformed';
  }
  const moment = readMoment(text);
  return moment && !moment.wholeDay && text[10] === ' ' ? moment.time : 'malformed';
}

/** The last instant a bound includes, made exclusive: bounds count to the second, a bare date to its whole day. */
export function endOf(moment: Moment): Date {
  return new Date(moment.time.getTime() + (moment.wholeDay ? 86_400_000 : 1_000));
}

export type TimeRange = { start: Date | null; end: Date | null };

/** `filter.start` and `filter.end` of get-blacklist and get-inbox; a bad date is 422 with its field named. */
export function readTimeRange(members: Members): TimeRange {
  const filter = asMembers(own(members, 'filter')) ?? {};
  const errors: Record<string, string> = {};
  const read = (name: 'start' | 'end'): Moment | null => {
    const value = own(filter, name);
    if (value === undefined || value === null || value === '') return null;
    const moment = readMoment(value);
    if (!moment) errors[name] = `${name} Y-m-d H:i:s biçimi ile eşleşmiyor.`;
    return moment;
  };
  const start = read('start');
  const end = read('end');
  if (Object.keys(errors).length) throw new Refusal(422, errors);
  return { start: start?.time ?? null, end: end && endOf(end) };
}
