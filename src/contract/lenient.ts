// A lenient type: a schema of all that is accepted, with a reading of its own. Clients in the field send numbers as strings,
// one value where a list is meant, lists as objects; each such habit is declared once, documented by its schema (usual form
// first) and taken by its reading.
//
//   const id = lenient(Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]), value => …);
//
// The reading gets whatever came, undefined included, and returns the value that handlers work with, or `wrong`: then the
// reader refuses with the member's name. Where the order of refusals matters, it returns a value that says so instead.
import type { Static, TArray, TObject, TOptional, TProperties, TSchema } from './type.ts';
import { hide } from './type.ts';

export const wrong: unique symbol = Symbol('wrong');
export type Wrong = typeof wrong;

export type Reading<T> = (value: unknown) => T;
export type Lenient<T = unknown> = TSchema & { '~read': Reading<T> };

export function lenient<S extends TSchema, T>(schema: S, read: Reading<T>): S & Lenient<Exclude<T, Wrong>> {
  return hide(schema, '~read', read) as S & Lenient<Exclude<T, Wrong>>;
}

export function readingOf(schema: TSchema): Reading<unknown> | undefined {
  return (schema as Partial<Lenient>)['~read'];
}

/** What a reader makes of a value: Static, but for the lenient parts, which are what their reading returns. */
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
