// The build number of this program: the time of its commit, as 20261118224105, written by scripts/build.mjs. It distinguishes builds of
// one version; 0 without a build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './version.ts';

let build: number | undefined;

export function programBuild(): number {
  build ??= readBuild();
  return build;
}

function readBuild(): number {
  try {
    return Number(readFileSync(join(projectRoot(), 'dist', 'src', 'build.txt'), 'utf8')) || 0;
  } catch {
    return 0;
  }
}
