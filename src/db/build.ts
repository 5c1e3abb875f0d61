// Which build of a version this is: the time of its commit, as 20261118224105, written by scripts/build.mjs. Two builds of one
// version are told apart by it; 0 where nothing was built.
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
