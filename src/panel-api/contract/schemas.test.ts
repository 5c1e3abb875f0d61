// The contract as data: it reads inputs and describes answers.
import { expect, test } from 'vitest';
import { kindOf, type TSchema, Type } from '../../contract/type.ts';
import { requireContract } from '../panel-fixture.ts';
import { operations } from './contract.ts';
import { cell, cells, endTime, id, ifGiven, maybe, orNull, someText, text, textOrNull, texts, time } from './fields.ts';
import { inputReader } from './input.ts';
import { schemas } from './schemas.ts';

test('every operation has a role and the schemas of its input and its answer, which are JSON Schema as they stand', () => {
  expect(Object.keys(schemas).sort()).toEqual(Object.keys(operations).sort());
  for (const [name, { input, output }] of Object.entries(schemas)) {
    expect([name, kindOf(input), kindOf(output)]).toEqual([name, 'Object', 'Object']);
    expect(JSON.parse(JSON.stringify(input)), name).toMatchObject({ type: 'object', properties: {} });
    expect(JSON.parse(JSON.stringify(output)), name).toMatchObject({ type: 'object', properties: {} });
  }
});

test('a test that gets an answer other than the schema says fails, with the member and the rule', () => {
  requireContract('session.resetStart', { sentIfKnown: true });
  expect(() => requireContract('session.resetStart', { sentIfKnown: 1 })).toThrow("'sentIfKnown'");
  expect(() => requireContract('orders.scheduled', { rows: [{ id: '7' }], total: 1 })).toThrow('rows.0');
});

function refused(schema: TSchema, values: unknown[]): unknown[] {
  const read = inputReader(Type.Object({ it: schema }));
  return values.filter(it => {
    try {
      read({ it });
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad-input', extra: { field: 'it' } });
      return true;
    }
  });
}

const taken = (schema: TSchema, it?: unknown) => inputReader(Type.Object({ it: schema }))({ it }).it;

test('texts are no longer than said, never hold a NUL, and are texts', () => {
  expect(refused(text(3), ['', 'abc'])).toEqual([]);
  const wrong = ['abcd', 'a\0', 5, null, undefined, ['a']];
  expect(refused(text(3), wrong)).toEqual(wrong);
  expect(taken(someText(5), ' ab ')).toBe('ab');
  expect(refused(someText(5), [' ', ''])).toEqual([' ', '']);
  expect(refused(texts(2, 3), [['a'], []])).toEqual([]);
  expect(refused(texts(2, 3), [['a', 'b', 'c'], ['abcd'], [5], 'a'])).toHaveLength(4);
  expect(refused(cells(1, 2, 3), [[['a', 'b']], []])).toEqual([]);
  expect(refused(cells(1, 2, 3), [[['a'], ['b']], [['a', 'b', 'c']], [['a\0']], [5]])).toHaveLength(4);
});

test('ids are whole, safe and above zero', () => {
  expect(refused(id(), [1, Number.MAX_SAFE_INTEGER])).toEqual([]);
  const wrong = [0, -1, 1.5, 2 ** 53, '7', null];
  expect(refused(id(), wrong)).toEqual(wrong);
});

test('what may be left out is not given when it is absent, null or empty; what is given is read', () => {
  for (const nothing of [undefined, null, '']) expect(taken(maybe(text(3)), nothing)).toBeUndefined();
  expect(taken(maybe(text(3)), 'abc')).toBe('abc');
  expect(refused(maybe(text(3)), ['abcd'])).toEqual(['abcd']);
  expect(refused(maybe(Type.Enum(['a', 'b'])), ['a', '', 'c'])).toEqual(['c']);
  expect(taken(ifGiven(text(3)), '')).toBe('');
  expect(taken(ifGiven(text(3)))).toBeUndefined();
  expect(refused(orNull(id()), [null, 1, undefined])).toEqual([undefined]);
  for (const nothing of [undefined, null, '']) expect(taken(textOrNull(3), nothing)).toBeNull();
  expect(taken(cell())).toBe('');
});

test('a moment is an instant, or a day of Turkey: its beginning, and as an end the beginning of the next', () => {
  expect(taken(time(), '2026-11-16')).toEqual(new Date('2026-11-15T21:00:00Z'));
  expect(taken(endTime(), '2026-11-16')).toEqual(new Date('2026-11-16T21:00:00Z'));
  expect(taken(endTime(), '2026-11-16T10:00:00Z')).toEqual(new Date('2026-11-16T10:00:00Z'));
  const wrong = ['2026-02-30', 'yesterday', '+275760-09-13T00:00:00Z', 5];
  expect(refused(time(), wrong)).toEqual(wrong);
});

test('what a schema does not name never reaches a handler', () => {
  const read = inputReader(schemas['orders.read'].input);
  expect(read({ id: 7, __proto__: { id: 8 }, more: 1 })).toEqual({ id: 7 });
});
