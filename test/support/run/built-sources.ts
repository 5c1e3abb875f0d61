// Tests import the program's own files as they were built, where nothing is newer than the build: Node reads the 700 of them in a
// second, Vitest takes four to make and read them one by one, in each of its processes. What is imported is the same either way:
// one file of dist/ for one of src/. A stale build is not used at all, or a test would meet two ages of one file; nor is any by a
// Vitest that watches, whose build grows old while it runs, or that measures coverage of the sources.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { isProgramStale } from '../../../scripts/stale.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const built = /^(src|simulators)\/.*(?<!\.test)\.ts$/;

export const fromBuild = /\/dist\/(src|simulators)\//;

/** Where the imported file was built to; null: Vitest transforms it. */
export function builtFile(wanted: string, importer: string | undefined): string | null {
  if (!importer || !wanted.startsWith('.')) return null;
  const path = relative(root, resolve(dirname(importer), wanted));
  const file = join(root, 'dist', path.replace(/\.ts$/, '.js'));
  return built.test(path) && existsSync(file) ? file : null;
}

export function builtSources(argv: string[] = process.argv, isStale = isProgramStale): Plugin[] {
  if (!argv.includes('run') || argv.includes('--coverage.enabled') || isStale()) return [];
  return [{ name: 'built-sources', enforce: 'pre', resolveId: builtFile }];
}
