// Rules for the program's SQL that a schema of a Citus cluster needs, tested without a cluster.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrationFiles, piecesForCluster, statementsOf } from '../migration-files.ts';
import { hintsOf } from './hints.ts';
import { knownByPlace } from './prepare.ts';

// Older migrations run before a schema is distributed.
const firstOfOurs = '0155';

function sources(): { path: string; text: string }[] {
  const root = new URL('../../', import.meta.url).pathname;
  return (
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      // src/db/citus makes the views.
      .filter(path => /\.(ts|sql)$/.test(path) && !/\.test\.ts$|^db\/citus\//.test(path))
      .map(path => ({ path, text: readFileSync(root + path, 'utf8') }))
  );
}

test('statements use the ctid only of tables whose views have it', () => {
  const used = sources().flatMap(({ text }) => {
    const bare = [...text.matchAll(/(?:update|delete from) (\w+) where ctid/g)].map(one => one[1]!);
    const aliases = new Set([...text.matchAll(/(\w+)\.ctid/g)].map(one => one[1]!));
    const named = [...aliases].flatMap(alias =>
      [...text.matchAll(new RegExp(`(?:from|update) (\\w+) (?:as )?${alias}\\b`, 'g'))].map(one => one[1]!),
    );
    return [...bare, ...named];
  });
  expect([...new Set(used)].filter(table => table !== 'picked').sort()).toEqual([...knownByPlace].sort());
});

test('no statement looks up the sequence of a column, merges, or names a constraint in ON CONFLICT: a view has none', () => {
  const shapes = /pg_get_serial_sequence\(|\bmerge into\b|\bon conflict on constraint\b/i;
  // add-cell.ts runs before the schema is distributed.
  const found = sources().filter(({ path, text }) => path !== 'cells/add-cell.ts' && shapes.test(text));
  expect(found.map(one => one.path)).toEqual([]);
});

/** The actions of one ALTER TABLE; commas within brackets belong to an action. */
function actionsOf(statement: string): string[] {
  let depth = 0;
  const actions = [''];
  for (const letter of statement) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions;
}

// Actions of ALTER TABLE that the coordinator takes for a distributed table, from the list in its error.
const actionTaken = new RegExp(
  `^(${[
    'add (column )?\\w+ (?!.*\\b(nextval|serial|identity)\\b)',
    'add (constraint|primary key|unique|check|foreign key)\\b',
    'drop (column|constraint)\\b',
    'alter (column )?\\w+ ((set|drop) not null|set default (?!.*nextval)|drop default|(set data )?type)\\b',
    'validate constraint',
    '(re)?set \\(',
    'replica identity',
    'rename (column|constraint|to)',
    '(attach|detach) partition',
  ].join('|')})`,
  'is',
);

/** Why a cluster would refuse the statement; null: it would not. */
function refusal(statement: string): string | null {
  if (/^drop index [^;]*,/is.test(statement)) return 'several indexes in one DROP';
  if (/^create (or replace )?(constraint )?trigger|^create rule|^create policy/i.test(statement))
    return 'a trigger, rule or policy';
  const action = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/is.exec(statement)?.[1];
  if (action === undefined) return null;
  if (!actionTaken.test(action)) return `ALTER TABLE … ${action}`;
  if (actionsOf(statement).length > 1) return 'several changes in one ALTER TABLE';
  if (/\badd (column )?(?!constraint)\w+ .*\b(check|references|unique|primary key)\b/is.test(statement))
    return 'a column and its constraint in one ALTER TABLE';
  return null;
}

test('migrations change one thing at a time, as a distributed table takes it', () => {
  expect(refusal('alter table a add column b text, add column c text')).not.toBeNull();
  expect(refusal('alter table a add column b text check (b <> $$x$$)')).not.toBeNull();
  expect(refusal('alter table a add constraint b check (c in (1, 2))')).toBeNull();
  expect(refusal('alter table a alter column b set statistics 0')).not.toBeNull();
  expect(refusal('alter table a alter column b set storage external')).not.toBeNull();
  expect(refusal('alter table a alter column b add generated always as identity')).not.toBeNull();
  expect(refusal(`alter table a add column b bigint default nextval('c')`)).not.toBeNull();
  expect(refusal('drop index a, b')).not.toBeNull();
  expect(refusal('alter table a set (fillfactor = 50)')).toBeNull();
  expect(refusal('alter table a alter column b set not null')).toBeNull();
  const ours = migrationFiles().filter(one => one.name >= firstOfOurs);
  const refused = ours.flatMap(({ name, text }) =>
    piecesForCluster(text).flatMap(one => (refusal(one) ? [`${name}: ${refusal(one)}`] : [])),
  );
  expect(refused).toEqual([]);
});

test('statements about columns that a distributed table refuses are kept for the table behind it, and no others', () => {
  const hints = hintsOf();
  expect(hints).toContainEqual({ table: 'orders', column: 'text', what: 'statistics', value: '0' });
  expect(hints).toContainEqual({ table: 'receipt_inbox', column: 'messages', what: 'storage', value: 'external' });
  const text = 'alter table a alter column b set statistics 0;\nalter table a set (fillfactor = 50);';
  expect(piecesForCluster(text)).toEqual(['alter table a set (fillfactor = 50)']);
});

test('rows of INSERT … SELECT go through the coordinator: what it passes on to a server may fail', () => {
  expect(piecesForCluster('insert into a (b, c) select 1, null from d on conflict do nothing')).toEqual([
    `with chosen as materialized (select b, c from a where false union all (select 1, null from d))
    insert into a (b, c) select * from chosen on conflict do nothing`,
  ]);
  const values = 'insert into a (b) values (1)';
  expect(piecesForCluster(values)).toEqual([values]);
});

test('a migration is taken apart into its statements', () => {
  expect(
    statementsOf(`-- why; so\ncreate table a (b text default ';');\ndo $x$ begin perform 1; end $x$;\nselect 1`),
  ).toEqual([`create table a (b text default ';')`, 'do $x$ begin perform 1; end $x$', 'select 1']);
});
