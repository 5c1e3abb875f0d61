// The package as `npm pack` makes it, unpacked into an empty folder beside nothing but what it depends on: no source, no
// compiler, no development tool.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** As an installation without development dependencies has them. */
function linkDependencies(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  for (const [path, one] of Object.entries(packages)) {
    const isTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || one.dev || one.link || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}

test('the packed program starts in an empty folder without a compiler, and delivers an SMS', async () => {
  const folder = temporaryFolder();
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
  const [archive] = readdirSync(folder);
  execFileSync('tar', ['-xzf', join(folder, archive!), '-C', folder]);
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
  expect(existsSync(join(folder, 'node_modules', 'typescript'))).toBe(false);
  const program = await startProgram({ root: packed });
  const id = await program.demoCustomer.send('Paketten merhaba', ['5550000000']);
  expect((await program.demoCustomer.finished(id)).delivered).toBe(1);
  for (const page of [program.ready.panel, `${program.ready.api}/docs/start`, `${program.ready.api}/docs/en/start`])
    expect((await fetch(page)).status, page).toBe(200);
});
