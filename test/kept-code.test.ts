// The V8 code cache of the build (bin/load.cjs) is used by the Node that runs it, and only for exactly the file it was made of.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/db/version.ts';
import { temporaryFolder } from './support/run/temporary-folder.ts';

/** Other flags have other code. */
const { NODE_OPTIONS: _, ...env } = process.env;

type Loaded = { answer: unknown; refused: Record<string, boolean | undefined> };

/** Loads a piece in a process of its own; for each loaded file, whether V8 refused its cache (undefined: it had none). */
function loadedBy(bin: string, name: string): Loaded {
  const script = `
    const { load, loaded } = require(${JSON.stringify(join(bin, 'load.cjs'))});
    const { answer } = load(${JSON.stringify(name)});
    const refused = [...loaded].map(([name, { script }]) => [name, script.cachedDataRejected]);
    process.stdout.write(JSON.stringify({ answer, refused: Object.fromEntries(refused) }));
    process.exit();`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env })) as Loaded;
}

test('every piece of the built program has its compiled code beside it, and this Node takes it', () => {
  const bin = join(projectRoot(), 'bin');
  const pieces = readdirSync(join(projectRoot(), 'dist', 'src', 'program')).filter(name => name.endsWith('.cjs'));
  expect(pieces).toEqual(expect.arrayContaining(['peyk.cjs', 'child.cjs']));
  for (const name of ['peyk.cjs', 'child.cjs', ...pieces.filter(one => /-role-/.test(one))]) {
    const { refused } = loadedBy(bin, name);
    expect(Object.keys(refused)).toContain(name);
    expect(Object.entries(refused).filter(([, one]) => one !== false)).toEqual([]);
  }
});

test('a piece without its code, with that of another content or with a broken one runs all the same', () => {
  const root = temporaryFolder();
  const folder = join(root, 'dist', 'src', 'program');
  for (const one of [join(root, 'bin'), join(root, 'scripts'), folder]) mkdirSync(one, { recursive: true });
  for (const one of ['bin/load.cjs', 'scripts/keep-code.cjs']) copyFileSync(join(projectRoot(), one), join(root, one));
  const piece = join(folder, 'a.cjs');
  const says = (number: number) => writeFileSync(piece, `exports.answer = ${number};`);
  const load = () => loadedBy(join(root, 'bin'), 'a.cjs');
  says(1);
  expect(load()).toEqual({ answer: 1, refused: {} });

  execFileSync(process.execPath, [join(root, 'scripts', 'keep-code.cjs')], { env });
  expect(load()).toEqual({ answer: 1, refused: { 'a.cjs': false } });
  // As long as the one before, because V8 only compares the length.
  says(2);
  expect(load()).toEqual({ answer: 2, refused: {} });
  says(1);
  const code = readFileSync(`${piece}.code`);
  writeFileSync(`${piece}.code`, code.subarray(0, 60));
  expect(load()).toEqual({ answer: 1, refused: { 'a.cjs': true } });
});
