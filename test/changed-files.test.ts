// The loop while one works: which tests a change asks for (scripts/changed.mjs), in a repository of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { takeChanged, testsOfChange } from '../scripts/changed.mjs';
import { temporaryFolder } from './support/temporary-folder.ts';

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
  'test/support/long-files.json': '{ "src/orders/slow.test.ts": 9 }',
  [house]: '',
};

function repository() {
  const root = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Peyk', '-c', 'user.email=peyk@example.com', ...args], { cwd: root });
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  const asked = (since?: string) => {
    const { tests, leftOut } = testsOfChange(root, since);
    return { tests: tests.filter(path => path !== house).sort(), leftOut };
  };
  return { root, write, git, asked };
}

test('a change asks for the tests that import it, through others too, and for those of the house; without a change for none', () => {
  const { root, write, asked } = repository();
  expect(testsOfChange(root).tests).toEqual([]);
  write('src/text/split.ts', 'export const split = 1;');
  expect(testsOfChange(root).tests).toContain(house);
  expect(asked()).toEqual({
    tests: ['src/orders/accept.test.ts', 'src/people/read.test.ts', 'src/text/split.test.ts'],
    leftOut: ['src/orders/slow.test.ts'],
  });
});

test('a test that takes long is asked for by changes in its own folder; a file that is not yet known to git counts', () => {
  const { write, asked } = repository();
  write('src/orders/new.test.ts', '');
  write('src/orders/accept.ts', '// changed');
  expect(asked()).toEqual({
    tests: ['src/orders/accept.test.ts', 'src/orders/new.test.ts', 'src/orders/slow.test.ts'],
    leftOut: [],
  });
});

test('what everything imports asks for the hundred tests that are nearest', () => {
  const { root, write, git } = repository();
  for (let i = 0; i < 120; i++) write(`src/far/${i}.test.ts`, `import '../orders/accept.ts';`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'far');
  write('src/text/split.ts', 'export const split = 1;');
  const { tests, leftOut } = testsOfChange(root);
  expect(tests).toEqual(expect.arrayContaining(['src/text/split.test.ts', 'src/people/read.test.ts']));
  expect(tests).toHaveLength(100);
  expect(leftOut.length).toBeGreaterThan(20);
});

test('a database function asks for the tests of those who call it, and one that only functions call for all of its owner', () => {
  const { write, git, asked } = repository();
  write('src/orders/sql/accept_1.sql', 'select 1');
  expect(asked()).toEqual({ tests: ['src/orders/accept.test.ts'], leftOut: ['src/orders/slow.test.ts'] });
  git('checkout', '--quiet', '.');
  write('src/orders/sql/step_1.sql', 'select 1');
  expect(asked().tests).toEqual(['src/orders/accept.test.ts', 'src/orders/other.test.ts']);
});

test('since a commit, what was committed after it counts, and who still imports what is gone', () => {
  const { git, asked } = repository();
  git('switch', '--quiet', '--create', 'work');
  git('rm', '--quiet', 'src/orders/accept.ts', 'src/orders/slow.test.ts');
  git('commit', '--quiet', '--message', 'second');
  expect(asked().tests).toEqual([]);
  expect(asked('main')).toEqual({ tests: ['src/orders/accept.test.ts'], leftOut: [] });
});

test('the commit is an argument of its own or stands behind a sign, and other arguments stay', () => {
  const taken = (...args: string[]) => [takeChanged(args), args];
  expect(taken('--changed')).toEqual(['', []]);
  expect(taken('--changed', 'main', '-t', 'x')).toEqual(['main', ['-t', 'x']]);
  expect(taken('--changed=main', 'src')).toEqual(['main', ['src']]);
  expect(taken('--changed', '--bail', '1')).toEqual(['', ['--bail', '1']]);
  expect(taken('src/text')).toEqual([undefined, ['src/text']]);
});
