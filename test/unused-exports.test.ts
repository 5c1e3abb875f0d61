// What no other file imports is not exported: readers of a file see what others rely on.
import { expect, test } from 'vitest';
import { unusedExports } from './support/sources/unused-exports.ts';

test('every export is imported by another file', () => {
  // Loaded by the starters in bin/, and by vitest.config.ts.
  const elsewhere = ['src/cli/main.ts', 'src/processes/child.ts', 'test/support/run/longest-first.ts'];
  const isOurs = (path: string) =>
    /^(src|simulators|panel|test|scripts|bench)\//.test(path) && !elsewhere.includes(path);
  expect(unusedExports(isOurs)).toEqual([]);
});

test('an export is used by its name, by another name, or as a part of the whole file', () => {
  const file = (path: string, text: string) => ({ path, text, isTest: false });
  const all = [
    file(
      'a/one.ts',
      'export const used = 1;\nexport type Other = string;\nexport function alone() {}\nexport { used as again };',
    ),
    file('a/two.ts', 'export const some = 1;'),
    file('a/three.ts', 'export const more = 1;'),
    file(
      'b/reader.ts',
      "import { type Other as O, used } from '../a/one.ts';\nimport * as two from '../a/two.ts';\nawait import('../a/three.ts');",
    ),
  ];
  expect(unusedExports(() => true, all)).toEqual(['a/one.ts: alone', 'a/one.ts: again']);
});
