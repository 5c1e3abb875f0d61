// Habits of real clients, each declared once: ids and pages as string or number, lists as single values or as objects, times in
// several spellings. Input is lenient, output is strict: the schema allows every value that a reader accepts (a test checks
// it).
import { fromTurkeyTime } from '../time/clock.ts';
import { type Lenient, lenient, type Read } from './lenient.ts';
import { asMembers, readerOf } from './reader.ts';
import { type TObject, type TProperties, type TSchema, type TSchemaOptions, Type } from './type.ts';

/** A positive integer given as a number or as digits; null for anything else. */
export const id = (options?: TSchemaOptions) =>
  lenient(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[0-9]{1,16}$' })], options), readId);

export function readId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return null;
  const whole = Number(value);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : null;
}

const nothing = () => [Type.Literal(''), Type.Null()] as const;

/** Absent, null and "" mean page 1; null for a value below 1 or no number. Pages past the end are empty, not errors. */
export const page = (options?: TSchemaOptions) =>
  lenient(pageSchema({ default: 1, ...options }), value => readPage(value) ?? null);

/** The same, but undefined if absent: for a page that may be given in two places. */
export const pageIfGiven = (options?: TSchemaOptions) =>
  lenient(pageSchema(options), value => (value === undefined || value === null ? undefined : readPage(value)));

const pageSchema = (options?: TSchemaOptions) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[0-9]{1,16}$' }), ...nothing()], options);

function readPage(value: unknown): number | null {
  return isNothing(value) ? 1 : readId(value);
}

/** At most `max`, which is also the default for absent or unreadable values. */
export const rowCount = (max: number, options?: TSchemaOptions) =>
  lenient(Type.Union([Type.Integer({ minimum: 1 }), Type.String(), Type.Null()], { default: max, ...options }), value =>
    Math.min(readId(value) ?? max, max),
  );

/** A text that may be sent as a number; anything else becomes the empty text. */
export const text = (options?: TSchemaOptions) =>
  lenient(Type.Union([Type.String(), Type.Number()], options), readText);

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** One of these words; null for anything else. */
export const oneOf = <const V extends string[]>(values: readonly [...V], options?: TSchemaOptions) =>
  lenient(Type.Enum(values, options), (value): V[number] | null => values.find(one => one === value) ?? null);

/** Passed on unchanged: the domain reads it and reports errors. */
export const asGiven = <S extends TSchema>(schema: S) => lenient(schema, (value: unknown) => value);

/** Members of an object; other values have none. */
export function members<P extends TProperties>(
  properties: P,
  options?: TSchemaOptions,
): TObject<P> & Lenient<Read<TObject<P>>> {
  const object = Type.Object(properties, options);
  const read = readerOf(object, field => new Error(`${field} has no lenient reading`));
  return lenient(object, (value): Read<TObject<P>> => read(asMembers(value) ?? {}));
}

const wholeNumber = /^-?\d{1,15}$/;

/** A list, also as PHP writes one with gaps: an object whose keys are integers, in their order. null means no list. */
export function readList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const given = asMembers(value);
  const keys = given ? Object.keys(given) : [];
  if (keys.length === 0 || !keys.every(key => wholeNumber.test(key))) return null;
  return keys.sort((a, b) => Number(a) - Number(b)).map(key => given![key]);
}

/** The forms that readList accepts: an array, or an object whose keys are integers. */
export const listForms = <S extends TSchema>(item: S, options?: TSchemaOptions) =>
  [
    Type.Array(item, options),
    Type.Map(item, { minProperties: 1, propertyNames: Type.String({ pattern: '^-?[0-9]{1,15}$' }) }),
  ] as const;

export type Moment = { time: Date; wholeDay: boolean };

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
export const isoDatePattern = '^\\s*\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2})?)?\\s*$';

/** `YYYY-MM-DD`, with or without a time, in Turkish local time; null for anything else. */
export const moment = (options?: TSchemaOptions) =>
  lenient(Type.String({ pattern: isoDatePattern, ...options }), readMoment);

export function readMoment(value: unknown): Moment | null {
  const match = typeof value === 'string' ? isoDate.exec(value.trim()) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0));
  const time = fromTurkeyTime(year!, month!, day!, hour!, minute!, second!);
  return time && { time, wholeDay: match[4] === undefined };
}

/** The same for an optional date. */
export const momentIfGiven = (options?: TSchemaOptions) =>
  lenient(
    Type.Union([Type.String({ pattern: isoDatePattern }), ...nothing()], options),
    (value): Moment | null | 'malformed' => (isNothing(value) ? null : (readMoment(value) ?? 'malformed')),
  );

/** Absent, null or "": what clients send for no value. */
export function isNothing(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}
