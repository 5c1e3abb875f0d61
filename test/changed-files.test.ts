// The fast loop: which tests a change selects (scripts/changed.mjs).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changesSince, takeChanged, testsOfChange } from '../scripts/changed.mjs';
import { temporaryFolder } from './support/run/temporary-folder.ts';

const house = 'test/tidy.test.ts';
const files = {
  'src/text/split.ts': '',
  'src/text/split.test.ts': `import './split.ts';`,
  'src/orders/accept.ts': `import { split } from '../text/split.ts'; query('accept_1');`,
  'src/orders/accept.test.ts': `import { accept } from './accept.ts';`,
  'src/orders/slow.test.ts': `const { accept } = await import('./accept.ts');`,
  'src/orders/other.test.ts': '',
  'src/orders/sql/accept_1.sql': '',
  'src/orders/sql/step_1.sql': '',
  'src/people/read.test.ts': `new URL('../text/split.ts', import.meta.url);`,
  'test/journeys/all.test.ts': `import '../../src/orders/accept.ts';`,
  'test/support/run/long-files.json': '{ "src/orders/slow.test.ts": 9 }',
  [house]: '',
};

function sources(more: Record<string, string> = {}) {
  const root = temporaryFolder();
  const all: Record<string, string> = { ...files, ...more };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const paths = Object.keys(all);
  return {
    root,
    /** All except the tests of the whole repository. */
    asked(...changed: string[]) {
      const { tests, leftOut } = testsOfChange(root, { changed, paths });
      return { tests: tests.filter(path => path !== house).sort(), leftOut, isHouse: tests.includes(house) };
    },
  };
}

test('a change asks for the tests that import it, through others too, and for those of the house; without a change for none', () => {
  const { asked } = sources();
  expect(asked()).toEqual({ tests: [], leftOut: [], isHouse: false });
  expect(asked('src/text/split.ts')).toEqual({
    tests: ['src/orders/accept.test.ts', 'src/people/read.test.ts', 'src/text/split.test.ts'],
    leftOut: ['src/orders/slow.test.ts'],
    isHouse: true,
  });
});

test('a test that takes long is asked for by changes in its own folder', () => {
  expect(sources().asked('src/orders/accept.ts')).toMatchObject({
    tests: ['src/orders/accept.test.ts', 'src/orders/slow.test.ts'],
    leftOut: [],
  });
});

test('what everything imports asks for the hundred tests that are nearest', () => {
  const far = Array.from({ length: 120 }, (_, i) => [`src/far/${i}.test.ts`, `import '../orders/accept.ts';`]);
  const { tests, leftOut } = sources(Object.fromEntries(far)).asked('src/text/split.ts');
  expect(tests).toEqual(expect.arrayContaining(['src/text/split.test.ts', 'src/people/read.test.ts']));
  // With the repository's own test.
  expect(tests).toHaveLength(99);
  expect(leftOut.length).toBeGreaterThan(20);
});

test('a database function asks for the tests of those who call it, and one that only functions call for all of its owner', () => {
  const { asked } = sources();
  expect(asked('src/orders/sql/accept_1.sql')).toMatchObject({
    tests: ['src/orders/accept.test.ts'],
    leftOut: ['src/orders/slow.test.ts'],
  });
  expect(asked('src/orders/sql/step_1.sql').tests).toEqual(['src/orders/accept.test.ts', 'src/orders/other.test.ts']);
});

test('who still imports what is gone is asked for, and a test that is gone is not', () => {
  const { root, asked } = sources();
  rmSync(join(root, 'src/orders/accept.ts'));
  rmSync(join(root, 'src/orders/slow.test.ts'));
  const { tests, leftOut } = asked('src/orders/accept.ts', 'src/orders/slow.test.ts');
  expect([tests, leftOut]).toEqual([['src/orders/accept.test.ts'], []]);
});

test('where git does not know the commit, it is said what else to do', () => {
  expect(() => changesSince(temporaryFolder(), 'no-such-commit')).toThrow(/git knows what changed.*npm test -- src/);
});

test('the commit is an argument of its own or stands behind a sign, and other arguments stay', () => {
  const taken = (...args: string[]) => [takeChanged(args), args];
  expect(taken('--changed')).toEqual(['', []]);
  expect(taken('--changed', 'main', '-t', 'x')).toEqual(['main', ['-t', 'x']]);
  expect(taken('--changed=main', 'src')).toEqual(['main', ['src']]);
  expect(taken('--changed', '--bail', '1')).toEqual(['', ['--bail', '1']]);
  expect(taken('src/text')).toEqual([undefined, ['src/text']]);
});
