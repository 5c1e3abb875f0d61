// Our builders are TypeBox's, and a schema reads the values it describes.
import * as fc from 'fast-check';
import TypeBox from 'typebox';
import { Check } from 'typebox/value';
import { expect, expectTypeOf, test } from 'vitest';
import { checkerOf } from './check.ts';
import { lenient, type Read, wrong } from './lenient.ts';
import { readerOf } from './reader.ts';
import { about, type Static, Type } from './type.ts';

test('each builder makes what the builder of TypeBox makes, marks included', () => {
  const note = { description: 'a note' };
  const pairs = [
    [Type.String({ maxLength: 3 }), TypeBox.String({ maxLength: 3 })],
    [Type.Number({ minimum: 1 }), TypeBox.Number({ minimum: 1 })],
    [Type.Integer(note), TypeBox.Integer(note)],
    [Type.Boolean(), TypeBox.Boolean()],
    [Type.Null(), TypeBox.Null()],
    [Type.Unknown(note), TypeBox.Unknown(note)],
    [Type.Literal('a'), TypeBox.Literal('a')],
    [Type.Literal(1, note), TypeBox.Literal(1, note)],
    [Type.Enum(['a', 'b']), TypeBox.Enum(['a', 'b'])],
    [Type.Union([Type.String(), Type.Null()], note), TypeBox.Union([TypeBox.String(), TypeBox.Null()], note)],
    [Type.Array(Type.String(), { maxItems: 2 }), TypeBox.Array(TypeBox.String(), { maxItems: 2 })],
    [Type.Record(Type.Integer()), TypeBox.Record(TypeBox.String(), TypeBox.Integer())],
    [
      Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer(note)) }),
      TypeBox.Object({ a: TypeBox.String(), b: TypeBox.Optional(TypeBox.Integer(note)) }),
    ],
    [Type.Object({}), TypeBox.Object({})],
  ];
  for (const [ours, theirs] of pairs) {
    expect(marks(ours)).toEqual(marks(theirs));
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
  }
});

/** All members, hidden ones too. */
function marks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.getOwnPropertyNames(value)
    .sort()
    .map(name => [name, marks((value as Record<string, unknown>)[name])]);
}

const person = Type.Object({
  name: Type.String({ minLength: 1, ...about('who', 'kim') }),
  age: Type.Optional(Type.Integer({ minimum: 0 })),
  tags: Type.Array(Type.Enum(['a', 'b'])),
});

test('a schema types, validates and documents at once', () => {
  expectTypeOf<Static<typeof person>>().toEqualTypeOf<{ name: string; age?: number; tags: ('a' | 'b')[] }>();
  const read = readerOf(person, field => new Error(field));
  expect(read({ name: 'x', tags: ['a'], more: 1 })).toEqual({ name: 'x', age: undefined, tags: ['a'] });
  expect(JSON.parse(JSON.stringify(person))).toMatchObject({
    type: 'object',
    required: ['name', 'tags'],
    properties: { name: { description: 'who', 'x-description-tr': 'kim' } },
  });
});

test('a reader takes exactly what TypeBox takes', () => {
  const read = readerOf(person, field => new Error(field));
  const name = fc.oneof(fc.string(), fc.constant(undefined), fc.integer());
  const age = fc.oneof(fc.integer(), fc.double(), fc.constant(undefined), fc.constant(null));
  const tags = fc.oneof(fc.array(fc.constantFrom('a', 'b', 'c')), fc.constant(undefined), fc.object());
  fc.assert(
    fc.property(fc.record({ name, age, tags }, { requiredKeys: [] }), value => {
      expect(isTaken(() => read(value))).toBe(Check(TypeBox.Object({ ...person.properties }), value));
    }),
  );
});

function isTaken(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const digits = lenient(Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]), value =>
  Number.isInteger(Number(value)) ? Number(value) : wrong,
);

test('a lenient member is read by its own reading, at any depth, and refused by its path', () => {
  const schema = Type.Object({
    rows: Type.Array(Type.Object({ id: digits }), { maxItems: 2 }),
    page: Type.Optional(digits),
  });
  expectTypeOf<Read<typeof schema>>().toEqualTypeOf<{ rows: { id: number }[]; page: number }>();
  const read = readerOf(schema, field => new Error(field));
  expect(read({ rows: [{ id: '7' }], page: 3 })).toEqual({ rows: [{ id: 7 }], page: 3 });
  expect(() => read({ rows: [{ id: 1 }, { id: 'x' }], page: 1 })).toThrow('rows.1.id');
  expect(() => read({ rows: [{}, {}, {}], page: 1 })).toThrow('rows');
  expect(() => read({ rows: [], page: 'x' })).toThrow('page');
});

test('a fault names the member and the rule, also what is missing and what is deep inside', () => {
  const faultOf = checkerOf(
    Type.Object({ list: Type.Array(person), 'a/b': Type.Optional(Type.Nullable(Type.String())) }),
  );
  expect(faultOf({ list: [] })).toBeNull();
  expect(
    faultOf({
      list: [
        { name: 'x', tags: [] },
        { name: '', tags: [] },
      ],
    }),
  ).toEqual({
    field: 'list.1.name',
    rule: 'minLength',
  });
  expect(faultOf({ list: [{ tags: [] }] })).toEqual({ field: 'list.0.name', rule: 'required' });
  expect(faultOf({ list: [], 'a/b': 5 })).toEqual({ field: 'a/b', rule: 'anyOf' });
  expect(faultOf(5)).toEqual({ field: '', rule: 'type' });
});

test('nothing is read from a prototype', () => {
  const read = readerOf(Type.Object({ constructor: Type.Optional(Type.Unknown()) }), field => new Error(field));
  expect(read({})).toEqual({ constructor: undefined });
});
