// The builders of schemas, and the only importer of TypeBox beside check.ts. How a contract is written, here and elsewhere:
//
//   import { about, type Static, Type } from '../contract/type.ts';
//   const input = Type.Object({ id: Type.Integer({ minimum: 1 }), note: Type.Optional(Type.String({ maxLength: 200 })) });
//   type Input = Static<typeof input>;                        // types: { id: number; note?: string }
//   const read = readerOf(input, field => bad(field));        // validates (reader.ts): unknown → Input, or throws
//   const faultOf = checkerOf(input);                         // validates (check.ts): unknown → null or { field, rule }
//   JSON.stringify(input)                                     // documents: it is JSON Schema 2020-12, as OpenAPI 3.1 wants it
//   const page = lenient(Type.Integer(), value => …)          // what clients really send, with its own reading (lenient.ts)
//
// A browser takes the types alone (`import type`). Types are TypeBox's own, and each schema carries TypeBox's marks, so its
// tools work on them; only the builders are ours. Loading TypeBox's costs 330 ms of a core and 24 MB in every process, a
// third of what the whole API process needs; these dozen functions cost nothing, and type.test.ts holds them to be equal.
import type {
  Static,
  TArray,
  TArrayOptions,
  TBoolean,
  TEnum,
  TEnumValue,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnion,
  TUnknown,
  TUnsafe,
} from 'typebox';

export type { Static, TArray, TObject, TOptional, TProperties, TSchema, TSchemaOptions, TUnsafe };

export const Type = {
  String: (options?: TStringOptions) => make<TString>('String', { type: 'string' }, options),
  Number: (options?: TNumberOptions) => make<TNumber>('Number', { type: 'number' }, options),
  Integer: (options?: TNumberOptions) => make<TInteger>('Integer', { type: 'integer' }, options),
  Boolean: (options?: TSchemaOptions) => make<TBoolean>('Boolean', { type: 'boolean' }, options),
  Null: (options?: TSchemaOptions) => make<TNull>('Null', { type: 'null' }, options),
  Unknown: (options?: TSchemaOptions) => make<TUnknown>('Unknown', {}, options),
  Literal: <const V extends Exclude<TLiteralValue, bigint>>(value: V, options?: TSchemaOptions) =>
    make<TLiteral<V>>('Literal', { type: typeof value, const: value }, options),
  Enum: <const V extends TEnumValue[]>(values: readonly [...V], options?: TSchemaOptions) =>
    make<TEnum<V>>('Enum', { enum: values }, options),
  Union: <T extends TSchema[]>(anyOf: [...T], options?: TSchemaOptions) => make<TUnion<T>>('Union', { anyOf }, options),
  Array: <T extends TSchema>(items: T, options?: TArrayOptions) =>
    make<TArray<T>>('Array', { type: 'array', items }, options),
  /** Any names, one type of value. */
  Record: <T extends TSchema>(value: T, options?: TObjectOptions) =>
    make<TRecord<'^.*$', T>>('Record', { type: 'object', patternProperties: { '^.*$': value } }, options),
  /** Any names, one type of value, in the form that client generators understand. */
  Map: <T extends TSchema>(value: T, options?: TObjectOptions) =>
    make<TObject<Record<never, never>>>(
      'Object',
      { type: 'object', properties: {}, additionalProperties: value },
      options,
    ),
  Object: <P extends TProperties>(properties: P, options?: TObjectOptions) =>
    make<TObject<P>>('Object', { type: 'object', ...requiredOf(properties), properties }, options),
  Optional: <T extends TSchema>(schema: T) => hide(copyOf(schema), '~optional', true) as TOptional<T>,
  Nullable: <T extends TSchema>(schema: T, options?: TSchemaOptions) => Type.Union([schema, Type.Null()], options),
};

/** What a member means, in English (`description`, which every OpenAPI reader shows) and in Turkish. */
export function about(en: string, tr: string): { description: string; 'x-description-tr': string } {
  return { description: en, 'x-description-tr': tr };
}

export function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

export function kindOf(schema: TSchema): string | undefined {
  return (schema as { '~kind'?: string })['~kind'];
}

function requiredOf(properties: TProperties): { required?: string[] } {
  const required = Object.keys(properties).filter(name => !isOptional(properties[name]!));
  return required.length > 0 ? { required } : {};
}

function make<T extends TSchema>(kind: string, members: object, options: object | undefined): T {
  return hide({ ...members, ...options }, '~kind', kind) as T;
}

/** Hidden members included. */
function copyOf(schema: TSchema): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
}

/** TypeBox's marks are not part of the document: they are not enumerable. */
export function hide(schema: object, name: string, value: unknown): object {
  return Object.defineProperty(schema, name, { value, writable: true, configurable: true });
}
