// What `npm run release` makes; and its package, unpacked into an empty folder beside nothing but what it depends on: no source,
// no compiler, no development tool.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const { installedPlaces } = (await import(new URL('../../scripts/sbom.mjs', import.meta.url).href)) as {
  installedPlaces(): Set<string>;
};

/** What npm installs with the package, and nothing else. */
function linkDependencies(folder: string): void {
  for (const path of installedPlaces()) {
    // Machine code for other platforms is not there.
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}

const folder = temporaryFolder();
const release = join(folder, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const listed = (archive: string) =>
  execFileSync('tar', ['-tzf', join(release, archive)], { encoding: 'utf8' })
    .trim()
    .split('\n');

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/release.mjs'), release], { stdio: 'pipe' });
});

test('a release has every artefact, each with its checksum', () => {
  const context = `peyk-${version}-image.tar.gz`;
  const chart = `peyk-chart-${version}.tgz`;
  const packages = ['peyk', 'peyk-client', 'n8n-nodes-peyk'].map(name => `${name}-${version}.tgz`);
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const named = sums.map(line => line.split('  ')[1]!);
  expect(named).toEqual([...packages, context, chart, `peyk-${version}.cdx.json`, 'RELEASE-NOTES.md'].sort());
  expect(readdirSync(release).sort()).toEqual([...named, 'SHA256SUMS'].sort());
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(release, name)))
      .digest('hex');
  expect(sums).toEqual(named.map(name => `${digest(name)}  ${name}`));
  expect(listed(context)).toEqual(['Dockerfile', 'peyk.tgz']);
  expect(listed(chart)).toEqual(expect.arrayContaining(['peyk/Chart.yaml', 'peyk/values.yaml']));
  expect(JSON.parse(readFileSync(join(release, `peyk-${version}.cdx.json`), 'utf8'))).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'peyk', version } },
  });
  const notes = readFileSync(join(release, 'RELEASE-NOTES.md'), 'utf8');
  expect(notes).toMatch(new RegExp(`^# Peyk ${version} - `));
  expect(notes).not.toMatch(/^## /m);
});

test('the packed program starts in an empty folder without a compiler, and delivers an SMS', async () => {
  execFileSync('tar', ['-xzf', join(release, `peyk-${version}.tgz`), '-C', folder]);
  linkDependencies(folder);
  const packed = join(folder, 'package');
  expect(readdirSync(packed).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'migrations',
    'ops',
    'package.json',
    'panel',
    'src',
  ]);
  const files = readdirSync(packed, { recursive: true }) as string[];
  expect(files.filter(name => /\.tsx?$|\.test\.|\.map$|\.code$/.test(name))).toEqual([]);
  for (const name of ['typescript', 'fastify', 'pg'])
    expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
  const program = await startProgram({ root: packed });
  const id = await program.demoCustomer.send('Paketten merhaba', ['5550000000']);
  expect((await program.demoCustomer.finished(id)).delivered).toBe(1);
  for (const page of [program.ready.panel, `${program.ready.api}/docs/start`, `${program.ready.api}/docs/en/start`])
    expect((await fetch(page)).status, page).toBe(200);
});
