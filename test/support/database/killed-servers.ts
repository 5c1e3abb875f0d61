// PostgreSQL servers below a folder of tests. One that was killed leaves a segment of shared memory behind; its next start would
// take it away, but with the folder goes whoever knew of it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { livingPostmaster } from '../../../src/db/embedded/postmaster.ts';

const depthMax = 4;
const pidFile = 'postmaster.pid';
/** In the pid file: key and id of the segment. */
const memoryLine = 6;

/** Folders of servers that run, or ended without saying so. */
export function clustersBelow(folder: string, depth = depthMax): string[] {
  if (existsSync(join(folder, pidFile))) return [folder];
  if (depth === 0) return [];
  const inner = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return inner.flatMap(entry => clustersBelow(join(folder, entry.name), depth - 1));
}

export function returnMemoryBelow(folder: string): void {
  for (const cluster of clustersBelow(folder)) {
    // First: a pid file that names a stranger is taken away by the look.
    const memory = memoryOf(cluster);
    if (memory && !livingPostmaster(cluster)) giveBack(memory);
  }
}

function memoryOf(cluster: string): string | undefined {
  return readFileSync(join(cluster, pidFile), 'utf8').split('\n')[memoryLine]?.trim().split(/\s+/)[1];
}

function giveBack(memory: string): void {
  try {
    execFileSync('ipcrm', ['-m', memory], { stdio: 'ignore' });
  } catch {
    // Gone already, or a system without such segments.
  }
}
