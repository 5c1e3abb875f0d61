// The house rules that a machine can check: who may import whom, which package is whose, sizes, names, forbidden words.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longFiles } from './support/run/longest-first.ts';
import { arrows, leaves, unitOf } from './support/sources/arrows.ts';
import { files, folders, importsOf, panelSources, root, sources, sqlFiles } from './support/sources/sources.ts';

const imports = sources.flatMap(importsOf);

test('imports follow the arrows of the architecture', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (!/^(src|simulators)\//.test(to)) return false;
    const [a, b] = [unitOf(from), unitOf(to)];
    if (a === b) return false;
    if (leaves.includes(b)) return a === 'smpp';
    return !(arrows[a] ?? []).includes(b);
  });
  expect(wrong).toEqual([]);
});

test('leaves import only leaves', () => {
  const ours = imports.filter(({ from, to }) => leaves.includes(unitOf(from)) && to.startsWith('src/'));
  expect(ours.filter(({ to }) => !leaves.includes(unitOf(to)))).toEqual([]);
});

test('nothing imports in a circle between folders', () => {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter(one => one.to.startsWith('src/'))) {
    const [a, b] = [unitOf(from), unitOf(to)];
    if (a !== b) next.set(a, (next.get(a) ?? new Set()).add(b));
  }
  const visit = (unit: string, way: string[]): string[] => {
    if (way.includes(unit)) return [[...way.slice(way.indexOf(unit)), unit].join(' → ')];
    return [...(next.get(unit) ?? [])].flatMap(one => visit(one, [...way, unit]));
  };
  expect([...new Set([...next.keys()].flatMap(unit => visit(unit, [])))]).toEqual([]);
});

// Package → where it may be imported. Everything else is a new dependency and needs a decision.
const packages: Record<string, RegExp> = {
  pg: /^src\/db\/driver\.ts$/,
  fastify: /^src\/http\//,
  '@fastify/proxy-addr': /^src\/http\/(server|networks)\.ts$/,
  pino: /^src\/log\.ts$/,
  'prom-client': /^src\/metrics\/metrics\.ts$/,
  s3mini: /^src\/backup\/s3-store\.ts$/,
  saxes: /^src\/(api\/xml|sending\/http\/xml-tree)\.ts$/,
  'libphonenumber-js/max': /^src\/numbers\/phone\.ts$/,
  typebox: /^src\/contract\/type\.ts$/,
  'typebox/schema': /^src\/contract\/check\.ts$/,
  '@node-rs/argon2': /^src\/(people|cli)\//,
  '@modelcontextprotocol/server': /^src\/(mcp\/protocol|cli\/mcp)\.ts$/,
  '@modelcontextprotocol/server/stdio': /^src\/cli\/mcp\.ts$/,
};

test('every package is imported only by its keeper', () => {
  const outside = imports.filter(({ to }) => !/^(src|simulators|node:)/.test(to));
  expect(outside.filter(({ from, to }) => !packages[to]?.test(from))).toEqual([]);
});

test('what others install imports its own files alone', () => {
  const own = files.filter(file => /^packages\/[^/]+\/src\//.test(file.path) && !file.isTest);
  const homeOf = (path: string) => path.split('/').slice(0, 3).join('/');
  expect(own.length).toBeGreaterThan(5);
  expect(own.flatMap(importsOf).filter(({ from, to }) => homeOf(from) !== homeOf(to))).toEqual([]);
});

test('only config.ts and the starters of processes read the environment', () => {
  const readers =
    /^src\/(settings\/config|cli\/(main|execute|start)|processes\/(child|program|simulators)|db\/embedded\/binaries)\.ts$/;
  const found = sources.filter(file => file.text.includes('process.env') && !readers.test(file.path));
  expect(found.map(file => file.path)).toEqual([]);
});

test('a statement that changes what a remembered account rests on raises its stamp', () => {
  const statements = sources
    .filter(file => file.path.startsWith('src/') && !file.path.endsWith('.test.ts'))
    .flatMap(file => file.text.match(/`[^`]*`/g) ?? []);
  const changing =
    /(insert into (credentials|old_logins|senders|webhook_endpoints \(account_id, url\))|update (accounts|credentials|old_logins|senders|webhook_endpoints)) /;
  // Whether the owner was notified of a low balance decides nothing, nor what a key has used of its day.
  const aside = /update accounts( a)? set low_balance|update credentials set used_/;
  const found = statements.filter(text => changing.test(text) && !aside.test(text));
  expect(found).toHaveLength(19);
  expect(found.filter(text => !text.includes('set stamp = stamp + 1'))).toEqual([]);
});

test('only clock.ts asks for the time', () => {
  // `since` of a link is for people to read and nothing is decided by it.
  // Samples for programs of customers ask in those.
  const askers = /^src\/(time\/clock|api\/snippets|sending\/links\/link)\.ts$/;
  const found = sources.filter(file => file.path.startsWith('src/') && /\bDate\.now\b|new Date\(\)/.test(file.text));
  expect(found.map(file => file.path).filter(path => !askers.test(path))).toEqual([]);
});

test('no file has more than 400 lines, unless it is nothing but a table', () => {
  const tables = /^panel\/src\/text\/(tr|en)\/\w+\.ts$/;
  const long = files.filter(file => file.text.split('\n').length - 1 > 400 && !tables.test(file.path));
  expect(long.map(file => `${file.path}: ${file.text.split('\n').length - 1}`)).toEqual([]);
});

test('functions of the database are few, fit on a page, and begin by saying what they promise', () => {
  const lines = sqlFiles.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n') }));
  expect(sqlFiles.length).toBeLessThanOrEqual(62);
  expect(lines.reduce((sum, one) => sum + one.lines.length, 0)).toBeLessThanOrEqual(1_800);
  expect(lines.filter(one => one.lines.length > 80 || one.lines.some(line => line.length > 160))).toEqual([]);
  expect(sqlFiles.filter(one => !one.text.startsWith('-- '))).toEqual([]);
});

test('file names are kebab-case words that say something', () => {
  const bad = /^(utils?|common|helpers?|types|manager|services?|misc|index)$/;
  // n8n finds a class by the name of its file.
  const named = files.filter(
    ({ path }) => !/^packages\/n8n-nodes-peyk\/src\/Peyk(Api)?\.(node|credentials)\.ts$/.test(path),
  );
  const wrong = named.filter(({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.test|\.bench|\.e2e|\.worker|\.d)?\.(tsx?|mjs)$/, '');
    return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.split('-').some(word => bad.test(word));
  });
  expect(wrong.map(file => file.path)).toEqual([]);
});

test('every source begins by saying what it is for', () => {
  const silent = [...sources, ...panelSources].filter(file => !/^\/[/*]/.test(file.text));
  expect(silent.map(file => file.path)).toEqual([]);
});

test('no test is skipped, singled out or put off', () => {
  const mark = /\b(test|it|describe|suite|testOf)\.(skip|only|todo|skipIf|runIf|fails)\b/;
  // They need the history of the repository, which a copy may lack and cannot make, and a Citus cluster, or a server that is none of its.
  const named = [
    'test/schema.test.ts',
    'test/journeys/citus.test.ts',
    'test/journeys/kill-9.test.ts',
    'test/journeys/rolling-upgrade.test.ts',
    'test/journeys/upgrade-receipts.test.ts',
    'test/journeys/upgrade.test.ts',
    'test/support/program/previous-release.test.ts',
  ];
  expect(files.filter(file => mark.test(file.text)).map(file => file.path)).toEqual(named);
});

test('every file that is named as a long one exists', () => {
  expect(longFiles.filter(path => !existsSync(join(root, path)))).toEqual([]);
});

test('nothing is mocked: no test replaces a module', () => {
  const mock = /\bvi\.(mock|doMock|spyOn|fn|stubGlobal|useFakeTimers)\b/;
  expect(files.filter(file => mock.test(file.text)).map(file => file.path)).toEqual([]);
});

test('TypeScript is strict and erasable: no any, no enum, no suppressed errors', () => {
  // In SQL `= any (…)` is a word of its own.
  const loose = /(:|<|\bas|\|)\s*any\b(?!\s*\()|^\s*(export\s+)?(const\s+)?enum\s|^\s*(declare\s+)?namespace\s/m;
  const typed = files.filter(file => /\.tsx?$/.test(file.path) && file.path !== 'test/tidy.test.ts');
  expect(typed.filter(file => loose.test(withoutComments(file.text))).map(file => file.path)).toEqual([]);
  expect(typed.filter(file => /@ts-(ignore|nocheck)/.test(file.text)).map(file => file.path)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/ .*$/gm, '');
}

test('relative imports carry their extension, and there are no barrels', () => {
  const bare = files
    .flatMap(importsOf)
    .filter(
      ({ to }) =>
        folders.some(folder => to.startsWith(`${folder}/`)) && !/\.(tsx?|mjs|js|json|css)(\?[a-z]+)?$/.test(to),
    );
  expect(bare).toEqual([]);
  const barrels = sources.filter(file => /^export \* from/m.test(file.text));
  expect(barrels.map(file => file.path)).toEqual([]);
});

test('a migration on the list of landed ones is what it was when it landed, and the list names only files that exist', async () => {
  // Plain JavaScript, so that it runs without a build; hence the words about its shape here.
  const script = new URL('../scripts/land-migrations.mjs', import.meta.url).href;
  const { migrationChecksums, landedChecksums } = (await import(script)) as Record<string, () => string[]>;
  const now = new Set(migrationChecksums!());
  expect(landedChecksums!().filter(line => !now.has(line))).toEqual([]);
});

test('at most three test files may pass only when they run again, each for a reason', () => {
  const flaky: Record<string, string> = JSON.parse(
    readFileSync(join(root, 'test/support/run/flaky-files.json'), 'utf8'),
  );
  expect(Object.keys(flaky).length).toBeLessThanOrEqual(3);
  for (const [path, reason] of Object.entries(flaky)) {
    expect.soft(existsSync(join(root, path)), path).toBe(true);
    expect.soft(reason.length, path).toBeGreaterThan(40);
  }
});
