// Statements as functions of their parameters.
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { rowOf, rowsOf, runOf } from './db.ts';

const { pool } = await testDatabase();

const sumOf = rowOf<{ sum: number }, [one: number, other: number]>('test sum')`select $1::int + $2::int as sum`;
const numbers = rowsOf<{ n: number }>('test numbers')`select generate_series(1, 3) as n`;
const rename = runOf<[id: number, name: string]>('test rename')`update accounts set name = $2 where id = $1`;

test('a statement is a function of its parameters', async () => {
  expect(await sumOf(pool, 2, 3)).toEqual({ sum: 5 });
  expect(await numbers(pool)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(await rename(pool, -1, 'Kimse')).toBe(0);
});

test('a statement that is called back with more than its parameters ignores the rest', async () => {
  const each = await Promise.all([pool, pool].map(numbers));
  expect(each.map(rows => rows.length)).toEqual([3, 3]);
});
