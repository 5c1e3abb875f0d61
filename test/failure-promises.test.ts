// docs/failure.md and docs/security.md promise nothing without a test: every promise names at least one, and each named one exists.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url);
const page = readFileSync(new URL('docs/failure.md', root), 'utf8');
const promises = page.split(/\n(?=… \*\*)/).slice(1);
const named = [...page.matchAll(/^→ `([^`]+)` "([^"]+)"$/gm)].map(([, file, title]) => ({
  file: file!,
  title: title!,
}));

test('every promise names a test', () => {
  expect(promises.length).toBeGreaterThan(15);
  const bare = promises.filter(one => !/^→ /m.test(one)).map(one => one.split('\n')[0]);
  expect(bare).toEqual([]);
  expect(named).toHaveLength([...page.matchAll(/^→/gm)].length);
});

test('every named test exists', () => {
  const missing = named.filter(({ file, title }) => {
    const path = new URL(file, root);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
  });
  expect(missing).toEqual([]);
});

test('every defence names a test, and each of them exists', () => {
  const table = readFileSync(new URL('docs/security.md', root), 'utf8').split('\n## ')[2]!;
  const defences = table.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| attacker'));
  expect(defences.length).toBeGreaterThan(8);
  const files = defences.map(line => [...line.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g)].map(([, file]) => file!));
  expect(defences.filter((_, at) => files[at]!.length === 0)).toEqual([]);
  expect(files.flat().filter(file => !existsSync(new URL(file, root)))).toEqual([]);
});
