// The registry of personal data knows every column that can hold some, and what it names exists.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { owners } from '../../test/support/sources/table-owners.ts';
import { tasks } from '../processes/tasks.ts';
import { impersonalTables, personalTables } from './registry.ts';

const schema = readFileSync(new URL('../../migrations/schema.sql', import.meta.url), 'utf8');

/** Types that take what anybody writes, and numbers by their name. */
const anything = /^(text|bytea|jsonb?|inet|character varying|bigint\[\])/;
const numberNames = /^(numbers?|mobile|recipient)$/;

/** `table column` of each that can hold anything; partitions hold what their table does. */
function openColumns(): string[] {
  return [...schema.matchAll(/^create table (\w+) \(\n(.*?)\n\)/gms)].flatMap(([, table, body]) =>
    /^submits_\d+$/.test(table!)
      ? []
      : [...body!.matchAll(/^ {2}(\w+) ([^\n]+)$/gm)]
          .filter(([, column, type]) => column !== 'constraint' && (anything.test(type!) || numberNames.test(column!)))
          .map(([, column]) => `${table} ${column}`),
  );
}

const words = (list: string) => list.split(' ').filter(one => one !== '');
const listed = [
  ...personalTables.flatMap(({ table, holds, besides }) =>
    [...Object.keys(holds), ...words(besides)].map(column => `${table} ${column}`),
  ),
  ...Object.entries(impersonalTables).flatMap(([table, columns]) => words(columns).map(one => `${table} ${one}`)),
];

test('every column that can hold a text, bytes, a list or a phone number is in the registry, and once', () => {
  const open = openColumns();
  expect(open.length).toBeGreaterThan(150);
  expect(
    open.filter(one => !listed.includes(one)),
    'not listed',
  ).toEqual([]);
  expect(
    listed.filter(one => !open.includes(one)),
    'not there',
  ).toEqual([]);
  expect(listed.filter((one, at) => listed.indexOf(one) !== at)).toEqual([]);
});

test('owners, tasks and tables that the registry names are there', () => {
  const names = personalTables.map(one => one.table);
  for (const { table, owner, ends, erase } of personalTables) {
    expect.soft(owner, table).toBe(owners[table]);
    if ('task' in ends) expect.soft(tasks.map(one => one.name)).toContain(ends.task);
    if ('with' in ends) expect.soft(names).toContain(ends.with);
    if (typeof erase !== 'function' && 'with' in erase) {
      const of = personalTables.find(one => one.table === erase.with)!;
      expect.soft(typeof of.erase, `${table} with ${erase.with}`).toBe('function');
    }
  }
});

test('a step of retention removes from the table that it stands with, and a file goes with the rows it belongs to', () => {
  for (const { table, ends } of personalTables)
    if ('statement' in ends) expect.soft(ends.statement.text).toContain(`delete from ${table} `);
});
