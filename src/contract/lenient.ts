// A lenient type: a schema of everything that is accepted, with its own reader. Real clients send numbers as strings, one value
// instead of a list, lists as objects. Each such habit is declared once and documented by its schema (usual form first).
//
//   const id = lenient(Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]), value => …);
//
// The reader gets the value as sent, undefined included, and returns what handlers use, or `wrong`: then the request is refused
// with the member's name. Where the order of refusals matters, the reader returns a value that the handler refuses.
import type { Static, TArray, TObject, TOptional, TProperties, TSchema } from './type.ts';
import { hide } from './type.ts';

export const wrong: unique symbol = Symbol('wrong');
type Wrong = typeof wrong;

type Reading<T> = (value: unknown) => T;
export type Lenient<T = unknown> = TSchema & { '~read': Reading<T> };

export function lenient<S extends TSchema, T>(schema: S, read: Reading<T>): S & Lenient<Exclude<T, Wrong>> {
  return hide(schema, '~read', read) as S & Lenient<Exclude<T, Wrong>>;
}

export function readingOf(schema: TSchema): Reading<unknown> | undefined {
  return (schema as Partial<Lenient>)['~read'];
}

/** The type of a read value: Static, except for lenient parts, which have the type that their reader returns. */
export type Read<S extends TSchema> =
  S extends Lenient<infer T>
    ? T
    : S extends TObject<infer P>
      ? ReadProperties<P>
      : S extends TArray<infer I extends TSchema>
        ? Read<I>[]
        : Static<S>;

type ReadProperties<P extends TProperties> = {
  [K in keyof P]: P[K] extends Lenient<infer T> ? T : P[K] extends TOptional ? Read<P[K]> | undefined : Read<P[K]>;
};
