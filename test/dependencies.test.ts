// Packages that we distribute or run: from the lockfile, and from the installation. Known vulnerabilities need the network:
// .github/workflows/test.yml checks them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  faultsOf,
  isAllowed,
  manifest,
  manifests,
  nameOf,
  type Package,
  packages,
} from './support/sources/lockfile.ts';
import { root } from './support/sources/sources.ts';

const decision = readFileSync(join(root, 'docs/decisions/0001-dependencies.md'), 'utf8');
const table = decision.slice(0, decision.indexOf('\nDevelopment:'));
const all = packages();
const direct = (kind: 'dependencies' | 'optionalDependencies' | 'devDependencies') =>
  manifests.flatMap(one => Object.entries(one[kind] ?? {}));
const runtime = [...direct('dependencies'), ...direct('optionalDependencies')];

/** `@mantine/*` stands for all of its packages. */
function isNamed(name: string, text: string): boolean {
  return text.includes(`\`${name}\``) || text.includes(`\`${name.replace(/\/.*/, '/*')}\``);
}

test('every package has a licence that we may give on, a checksum, no place of its own and no script that runs when it is installed', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(all.flatMap(faultsOf)).toEqual([]);
});

test('a package that breaks a rule is found', () => {
  const good: Package = {
    path: 'node_modules/some/node_modules/@a/thing',
    locked: { version: '1.0.0', license: 'MIT', integrity: 'sha512-abc' },
    installed: { version: '1.0.0', license: 'MIT' },
  };
  expect(faultsOf(good)).toEqual([]);
  const broken: [Partial<Package['locked']>, Package['installed'], RegExp][] = [
    [{}, { version: '1.0.0', license: 'AGPL-3.0-only' }, /licence AGPL-3.0-only/],
    [{ license: 'MPL-2.0' }, undefined, /licence MPL-2.0/],
    [{ license: undefined }, undefined, /licence none/],
    [{ integrity: undefined }, undefined, /no checksum/],
    [{ integrity: 'sha1-abc' }, undefined, /no checksum/],
    [{ resolved: 'git+ssh://git@host.example/a/thing.git' }, undefined, /comes from/],
    [{ resolved: 'https://mirror.example/thing-1.0.0.tgz' }, undefined, /comes from/],
    [{ hasInstallScript: true }, undefined, /runs a script/],
    [{}, { version: '1.0.0', license: 'MIT', scripts: { postinstall: 'node x.js' } }, /runs a script/],
    [{}, { version: '1.0.1', license: 'MIT' }, /is installed as 1.0.1/],
  ];
  for (const [locked, installed, said] of broken)
    expect(faultsOf({ ...good, locked: { ...good.locked, ...locked }, installed })).toEqual([
      expect.stringMatching(said),
    ]);
  expect(isAllowed('(MIT OR GPL-3.0-only)', new Set(['MIT']))).toBe(true);
  expect(isAllowed('MIT AND GPL-3.0-only', new Set(['MIT']))).toBe(false);
});

test('each direct dependency is one exact version, and has its line in decision 1', () => {
  const everything = [...runtime, ...direct('devDependencies')];
  expect(everything.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  expect(runtime.map(([name]) => name).filter(name => !isNamed(name, table))).toEqual([]);
  const unnamed = everything.map(([name]) => name).filter(name => !isNamed(name, decision));
  expect(unnamed.filter(name => !name.startsWith('@types/'))).toEqual([]);
});

test('decision 1 lists no package that is gone, and no script is let run for one that is not there', () => {
  const rows = [...table.matchAll(/^\| (?:panel: )?(`[^|]*`) \|/gm)].flatMap(
    row => row[1]!.match(/(?<=`)[^`, ]+(?=`)/g)!,
  );
  const present = new Set(all.map(one => nameOf(one.path)));
  const isThere = (name: string) =>
    name.endsWith('/*') ? [...present].some(one => one.startsWith(name.slice(0, -1))) : present.has(name);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(name => !isThere(name))).toEqual([]);
  expect(Object.keys(manifest.allowScripts!).filter(name => !present.has(name))).toEqual([]);
});

test('licences of what is built into the program and the panel come with them', () => {
  const program = readFileSync(join(root, 'dist/src/program/LICENSES.txt'), 'utf8');
  for (const name of ['fastify', 'pg', 'pino', 'typebox']) expect(program).toContain(`${name} `);
  const panel = readFileSync(join(root, 'panel/dist/licenses.txt'), 'utf8');
  for (const name of ['react', '@mantine/core', 'recharts']) expect(panel).toContain(`## ${name} -`);
  for (const text of [program, panel]) expect(text).toMatch(/Permission is hereby granted/);
});
