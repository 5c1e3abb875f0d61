// Which tests `npm test -- --changed` runs: those that reach what changed since the last commit, or since a given one, through what
// they import or name by a relative path, and those of the house, which read every file. Database functions count as imported by the
// files of their owner that call them. Not by Vitest's own `--changed`: it knows nothing of .sql and reads for 7 s before the
// first test, this for 0.3. Left to the whole run: journeys and browser tests, which import the whole program, and files that take
// seconds each (test/support/run/long-files.json) in folders where nothing changed. Nearly every test reaches the heart of the program:
// after a change of src/accept/accept.ts 125 files would run, 35 of which have three quarters of the time and a quarter of the tests.
// What everything imports (src/time/clock.ts) asks for the nearest hundred.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ofTheHouse = ['tidy', 'tidy-structure', 'documentation', 'failure-promises', 'schema', 'dependencies'];
/** So many files run in less than a minute on two cores. */
const mostFiles = 100;
const program = /\.(m?ts|tsx|mjs)$/;
const sqlFunction = /^(.*)\/sql\/(\w+)\.sql$/;
const quickTest = /^(?!test\/(journeys|chaos)\/).*\.test\.ts$/;
const relativePath = /['"`](\.{1,2}\/[^'"`\s]+)['"`]/g;

/** From git: files changed since `since` or the last commit, and all files. */
export function changesSince(root, since) {
  const diffs = [['diff', '--name-only', 'HEAD'], ...(since ? [['diff', '--name-only', `${since}...HEAD`]] : [])];
  const added = ['ls-files', '--others', '--exclude-standard'];
  return {
    changed: [...diffs, added].flatMap(list => git(root, list)),
    paths: git(root, [...added, '--cached']),
  };
}

/** `tests`: nearest first; `leftOut`: long files, and files beyond the nearest hundred. */
export function testsOfChange(root, { changed, paths }) {
  if (changed.length === 0) return { tests: [], leftOut: [] };
  const house = ofTheHouse.map(name => `test/${name}.test.ts`);
  const reached = reachedFrom([...changed, ...house], importersOf(root, paths));
  const folders = new Set(changed.map(path => dirname(path)));
  const long = new Set(Object.keys(JSON.parse(readFileSync(join(root, 'test/support/run/long-files.json'), 'utf8'))));
  const tests = [...reached].filter(path => quickTest.test(path) && existsSync(join(root, path)));
  const isQuick = path => !long.has(path) || folders.has(dirname(path));
  const nearest = tests.filter(isQuick).slice(0, mostFiles);
  return { tests: nearest, leftOut: tests.filter(path => !nearest.includes(path)) };
}

/**
 * Removes `--changed`, `--changed main` or `--changed=main` from the arguments. Returns undefined without it, otherwise
 * the commit or ''.
 */
export function takeChanged(args) {
  const at = args.findIndex(one => /^--changed(=|$)/.test(one));
  if (at < 0) return undefined;
  const [, inside] = args.splice(at, 1)[0].split('=');
  if (inside !== undefined) return inside;
  return at < args.length && !args[at].startsWith('-') ? args.splice(at, 1)[0] : '';
}

/** For each file, removed ones included: the files that import or name it. */
function importersOf(root, paths) {
  const texts = new Map(paths.filter(path => program.test(path)).map(path => [path, textOf(root, path)]));
  const importers = new Map();
  const enter = (path, importer) => importers.set(path, [...(importers.get(path) ?? []), importer]);
  for (const [path, text] of texts)
    for (const [, named] of text.matchAll(relativePath)) enter(normalize(join(dirname(path), named)), path);
  for (const [path, owner, name] of paths.map(one => sqlFunction.exec(one)).filter(Boolean)) {
    const ofOwner = [...texts.keys()].filter(one => one.startsWith(`${owner}/`));
    const callers = ofOwner.filter(one => texts.get(one).includes(name));
    for (const one of callers.length > 0 ? callers : ofOwner) enter(path, one);
  }
  return importers;
}

function reachedFrom(changed, importers) {
  const reached = new Set(changed);
  for (const path of reached) for (const one of importers.get(path) ?? []) reached.add(one);
  return reached;
}

function textOf(root, path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}

function git(root, list) {
  const done = spawnSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status === 0) return done.stdout.split('\n').filter(Boolean);
  const why = done.error?.message ?? done.stderr.split('\n')[0];
  throw new Error(`git knows what changed, and it says: ${why} (without it: npm test, or npm test -- src/orders)`);
}
