// Members of the browser's input, each with a reader that handlers rely on: texts contain no NUL (the database cannot store it)
// and have a maximum length, ids are safe integers, times are instants. `maybe`: absent, null and '' all mean "not given". A
// handler gets the result of the reader, never the raw input.

import { type Lenient, lenient, type Read, wrong } from '../../contract/lenient.ts';
import { readerOf } from '../../contract/reader.ts';
import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from '../../contract/type.ts';
import { fromTurkeyTime } from '../../time/clock.ts';

const textMax = 1_000;
const cellMax = 300;
const wholeMax = Number.MAX_SAFE_INTEGER;
const timeMax = 8e12;
const dayMs = 86_400_000;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The input, and what a handler gets of it. */
type Member<Sent, Taken> = TUnsafe<Sent> & Lenient<Taken>;

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max && !value.includes('\0');
}

export function text(max = textMax): Member<string, string> {
  return lenient(Type.String({ maxLength: max }), value => (isText(value, max) ? value : wrong)) as never;
}

/** Not empty, trimmed. */
export function someText(max = textMax): Member<string, string> {
  return lenient(Type.String({ minLength: 1, maxLength: max }), value =>
    isText(value, max) && value.trim() !== '' ? value.trim() : wrong,
  ) as never;
}

export function texts(countMax: number, lengthMax = 200): Member<string[], string[]> {
  return lenient(Type.Array(Type.String({ maxLength: lengthMax }), { maxItems: countMax }), value =>
    isTexts(value, countMax, lengthMax) ? value : wrong,
  ) as never;
}

function isTexts(value: unknown, countMax: number, lengthMax: number): value is string[] {
  return Array.isArray(value) && value.length <= countMax && value.every(one => isText(one, lengthMax));
}

/** Rows of a table, with a maximum of cells each. */
export function cells(rowsMax: number, columnsMax: number, lengthMax: number): Member<string[][], string[][]> {
  const row = Type.Array(Type.String({ maxLength: lengthMax }), { maxItems: columnsMax });
  return lenient(Type.Array(row, { maxItems: rowsMax }), value =>
    Array.isArray(value) && value.length <= rowsMax && value.every(one => isTexts(one, columnsMax, lengthMax))
      ? value
      : wrong,
  ) as never;
}

/** Texts under names that the sender chooses; those beyond `countMax` are ignored. */
export function textsByName(
  countMax: number,
  lengthMax: number,
): Member<Record<string, string>, Record<string, string>> {
  return lenient(Type.Record(Type.String({ maxLength: lengthMax })), value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
    const entries = Object.entries(value).slice(0, countMax);
    return entries.every(([, one]) => isText(one, lengthMax)) ? Object.fromEntries(entries) : wrong;
  }) as never;
}

export const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const id = () => whole(1, wholeMax);
export const ids = (countMax: number) => Type.Array(id(), { maxItems: countMax });

/** An instant, or a bare day of Turkey's calendar: its beginning. */
export const time = () => moment(false);
/** The same as the end of a span: for a bare day, the beginning of the next. */
export const endTime = () => moment(true);

function moment(isEnd: boolean): Member<string, Date> {
  return lenient(Type.String({ maxLength: 40 }), value =>
    isText(value, 40) ? (readMoment(value, isEnd) ?? wrong) : wrong,
  ) as never;
}

function readMoment(given: string, isEnd: boolean): Date | null {
  const match = day.exec(given);
  if (match) {
    const begin = fromTurkeyTime(Number(match[1]), Number(match[2]), Number(match[3]), 0, 0, 0);
    return begin && isEnd ? new Date(begin.getTime() + dayMs) : begin;
  }
  const time = new Date(given);
  return Math.abs(time.getTime()) <= timeMax ? time : null;
}

/** Absent, null and '' mean "not given". */
export function maybe<S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S>>> & Lenient<Read<S> | undefined> {
  const take = readingOf(schema);
  const reading = (value: unknown) => (value === undefined || value === null || value === '' ? undefined : take(value));
  return lenient(Type.Optional(schema), reading) as never;
}

/** The same, for members where null is a usual value. */
export function maybeNull<S extends TSchema>(
  schema: S,
): TOptional<TUnsafe<Static<S> | null>> & Lenient<Read<S> | undefined> {
  return maybe(Type.Nullable(schema)) as never;
}

/** Absent means unchanged. Any other value is read, '' included. */
export function ifGiven<S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S>>> & Lenient<Read<S> | undefined> {
  const take = readingOf(schema);
  return lenient(Type.Optional(schema), value => (value === undefined ? undefined : take(value))) as never;
}

/** Absent and '' mean null. */
export function textOrNull(max: number): Member<string | null, string | null> {
  return lenient(Type.Nullable(Type.String({ maxLength: max })), value => {
    if (value === undefined || value === null || value === '') return null;
    return isText(value, max) ? value : wrong;
  }) as never;
}

/** A cell of an imported row; a missing one is checked with the rest of the row, so that its line is named. */
export function cell(): Member<string, string> {
  return lenient(Type.String({ maxLength: cellMax }), value => {
    if (value === undefined || value === null) return '';
    return isText(value, cellMax) ? value : wrong;
  }) as never;
}

/** A member that may be null with a meaning; absent is an error. */
export function orNull<S extends TSchema>(schema: S): Member<Static<S> | null, Read<S> | null> {
  const take = readingOf(schema);
  return lenient(Type.Nullable(schema), value => (value === null ? null : take(value))) as never;
}

function readingOf(schema: TSchema): (value: unknown) => unknown {
  const read = readerOf(schema, () => new Unread());
  return value => {
    try {
      return read(value);
    } catch (error) {
      if (error instanceof Unread) return wrong;
      throw error;
    }
  };
}

class Unread extends Error {}

/** The reason of a staff action; if it is required and missing, the refusal `reason-needed` asks for it. */
export const reasonGiven = maybe(text(500));
