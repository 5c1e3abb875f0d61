// PostgreSQL servers below a test folder. A killed server leaves a shared memory segment behind. Its next start would remove
// it, but the folder is deleted first.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { livingPostmaster } from '../../../src/db/embedded/postmaster.ts';

const depthMax = 4;
const pidFile = 'postmaster.pid';
/** In the pid file: key and id of the segment. */
const memoryLine = 6;

/** Folders of servers that run, or ended without removing their pid file. */
export function clustersBelow(folder: string, depth = depthMax): string[] {
  if (existsSync(join(folder, pidFile))) return [folder];
  if (depth === 0) return [];
  const inner = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return inner.flatMap(entry => clustersBelow(join(folder, entry.name), depth - 1));
}

export function returnMemoryBelow(folder: string): void {
  for (const cluster of clustersBelow(folder)) {
    // First, because the check removes a pid file of another process.
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
