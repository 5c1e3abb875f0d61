// docs/panel.md promises which test covers each of the forty details of the panel: the files and the tests are there.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const rows = [...read('docs/panel.md').matchAll(/^\| (\d+) \| .+ \| (.+) \|$/gm)].map(([, no, covered]) => ({
  no: Number(no),
  covered: covered!.split('<br>'),
}));

test('docs/panel.md says of each of the forty details by which test it is covered, or why it is left', () => {
  expect(rows.map(row => row.no)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(rows.flatMap(row => row.covered.filter(one => !one.startsWith('Left: ') && !isTest(one)))).toEqual([]);
});

test('the further promises of docs/panel.md have their tests too', () => {
  const section = read('docs/panel.md').split('## Further promises')[1]!;
  const covered = [...section.matchAll(/^\| .+ \| (`.+) \|$/gm)].flatMap(([, cell]) => cell!.split('<br>'));
  expect(covered.length).toBeGreaterThan(0);
  expect(covered.filter(one => !isTest(one))).toEqual([]);
});

/** `file` words of a test in it. */
function isTest(cell: string): boolean {
  const [, file, words] = /^`([^`]+)` (.+)$/.exec(cell) ?? [];
  if (!file || !words || !existsSync(new URL(file, root))) return false;
  const titles = [...read(file).matchAll(/\btest\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(
    ([, plain, made]) => plain ?? made!,
  );
  return titles.some(title => title.includes(words));
}
