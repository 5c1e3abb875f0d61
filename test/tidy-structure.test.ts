// The structure of the code: no import cycles between files, one writer for each table, short functions, and what the panel may
// import from the program.
import { expect, test } from 'vitest';
import { functionLengths } from './support/sources/function-lengths.ts';
import { files, importsOf, panelSources, sources, sqlFiles } from './support/sources/sources.ts';
import { guests, owners } from './support/sources/table-owners.ts';
import { tables, type Write, writes } from './support/sources/table-writes.ts';

test('no file imports itself by way of others', () => {
  const next = new Map([...sources, ...panelSources].map(file => [file.path, importsOf(file).map(one => one.to)]));
  expect(circlesOf(next)).toEqual([]);
});

/** Groups of files that reach each other (Tarjan's strongly connected components). */
function circlesOf(next: ReadonlyMap<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    stack.push(path);
    for (const to of next.get(path)!.filter(one => next.has(one))) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(to)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) circles.push(group.sort());
  };
  for (const path of next.keys()) if (!order.has(path)) visit(path);
  return circles;
}

test('every table has an owner, and only it writes there, or who is named with a reason', () => {
  expect([...tables].filter(table => !owners[table])).toEqual([]);
  expect(Object.keys(owners).filter(table => !tables.has(table))).toEqual([]);
  const isGuest = ({ table, writer }: Write) =>
    guests.some(guest => guest.writer === writer && guest.tables.split(' ').includes(table));
  const wrong = writes.filter(one => owners[one.table] !== one.writer && !isGuest(one));
  expect(wrong.map(({ table, path }) => `${path} writes ${table}, which belongs to ${owners[table]}`)).toEqual([]);
});

test('nobody is named as a second writer who is none', () => {
  const idle = guests.flatMap(({ writer, tables: named }) =>
    named
      .split(' ')
      .filter(table => !writes.some(one => one.writer === writer && one.table === table))
      .map(table => `${writer}: ${table}`),
  );
  expect(idle).toEqual([]);
});

const linesMax = 70;
// Markup is layout, not logic: a page that reads from top to bottom is easier than its parts in five places.
const markupLinesMax = 120;
const sqlLinesMax = 160;
// Wiring: each line names a part and its inputs, in the order of dependencies.
const wiring = ['src/sending/dispatcher.ts startDispatcher'];

test('a function fits on a screen, a page of the panel on two', () => {
  const long = [...sources, ...panelSources].flatMap(({ path, text }) =>
    functionLengths(text)
      .filter(one => one.lines > (path.endsWith('.tsx') ? markupLinesMax : linesMax))
      .map(one => ({ name: `${path} ${one.name}`, lines: one.lines })),
  );
  expect(long.filter(one => !wiring.includes(one.name))).toEqual([]);
  const longSql = sqlFiles.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(longSql.filter(one => one.lines > sqlLinesMax)).toEqual([]);
});

test('the length of a function is without those inside it', () => {
  const text = ['function outer(', '  a: string,', '): void {', '  const inner = () => {', '    x();', '  };', '}'];
  expect(functionLengths(text.join('\n'))).toEqual([
    { name: 'outer', line: 1, lines: 4 },
    { name: 'inner', line: 4, lines: 3 },
  ]);
});

test('the panel knows of the program its contracts, its words and its alphabets', () => {
  const shared =
    /^src\/(text|tables|contract|api)\/|^src\/panel-api\/([a-z-]+\/)?([a-z-]+-)?contract\.ts$|^src\/panel-api\/(contract\/(facts|shapes)|audit\/audit-words|senders\/documents-needed)\.ts$|^src\/webhooks\/(events|payload)\.ts$/;
  const wrong = panelSources.flatMap(importsOf).filter(({ to }) => to.startsWith('src/') && !shared.test(to));
  expect(wrong).toEqual([]);
});

test('a list of the panel is a shape that useList reads and List draws', () => {
  const parts = /^panel\/src\/ui\/(data-table|list-tools|card-rows|fresh-rows|export-menu)\.tsx$/;
  const pages = panelSources.filter(file => file.path.startsWith('panel/src/pages/'));
  const byHand = pages.flatMap(importsOf).filter(({ to }) => parts.test(to));
  expect(byHand).toEqual([]);
  // Everything with pages is a list, except for the timeline of a number.
  const paged = pages.filter(file => /cursor:|cursorKey/.test(file.text)).map(file => file.path);
  expect(paged).toEqual(['panel/src/pages/orders/number.tsx']);
});

test('the panel casts no value to never: links, their search and what the server answers have types', () => {
  const cast = files.filter(file => file.path.startsWith('panel/src/') && /\bas never\b/.test(file.text));
  expect(cast.map(file => file.path)).toEqual([]);
});
