// Arrays as the server reads them: every value arrives unchanged, and a value outside of its type is refused before it is sent.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/program/app.ts';
import { booleans, int2s, int4s, int8s, texts } from './arrays.ts';

const app = await testApp();
afterAll(() => app.close());

async function read(type: string, array: Buffer): Promise<unknown> {
  return (await app.db.query(`select to_json($1::${type}[]) as read`, [array])).rows[0].read;
}

test('numbers arrive unchanged, up to the limits of their types, and many of them', async () => {
  const small = [0, 1, -1, 111, 32_767, -32_768];
  expect(await read('smallint', int2s(small))).toEqual(small);
  const whole = [...small, 2_147_483_647, -2_147_483_648];
  expect(await read('integer', int4s(whole))).toEqual(whole);
  const large = [
    ...whole,
    905_550_000_000,
    -905_550_000_000,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    2 ** 32,
    -1,
  ];
  expect(await read('bigint', int8s(large))).toEqual(large);
  const many = Array.from({ length: 50_000 }, (_, i) => 905_550_000_000 + i);
  expect(await read('bigint', int8s(many))).toEqual(many);
});

test('texts and booleans of each length and script arrive unchanged, with quotes or empty', async () => {
  const list = ['', 'a', '"\\{},NULL', 'null', 'İığş 👍🏽', '\n\t', 'x'.repeat(10_000), 'çok'];
  expect(await read('text', texts(list))).toEqual(list);
  expect(await read('boolean', booleans([true, false, true]))).toEqual([true, false, true]);
});

test('no values are an empty array of the type', async () => {
  const empty = [int2s([]), int4s([]), int8s([]), booleans([]), texts([])];
  const types = ['smallint', 'integer', 'bigint', 'boolean', 'text'];
  for (const [i, array] of empty.entries()) expect(await read(types[i]!, array)).toEqual([]);
});

test('a value that does not fit is refused before it is sent', () => {
  for (const value of [32_768, -32_769, 1.5, Number.NaN]) expect(() => int2s([value])).toThrow(RangeError);
  for (const value of [2 ** 31, 0.5, Number.NaN, undefined as never]) expect(() => int4s([value])).toThrow(RangeError);
  for (const value of [2 ** 53, 0.5, Number.NaN, undefined as never]) expect(() => int8s([value])).toThrow(RangeError);
});
