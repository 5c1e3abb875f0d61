// Ends everything that a killed test run started and removes its folder, synchronously, because the process is about to end.
// Servers get SIGQUIT (immediate shutdown), which lets them release their shared memory; all others are killed.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { isAlive } from '../../../src/db/embedded/liveness.ts';
import { livingPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { clustersBelow, returnMemoryBelow } from '../database/killed-servers.ts';

const waitMs = 5_000;
const pollMs = 10;

export function removeAtOnce(folder: string): void {
  const children = descendantsOf(process.pid);
  // Workers first: they would restart their servers.
  for (const { pid, command } of children) if (!command.endsWith('postgres')) signal(pid, 'SIGKILL');
  // Servers whose parent was killed by a test are orphans; their pid files still name them.
  const orphans = clustersBelow(folder).flatMap(cluster => livingPostmaster(cluster)?.pid ?? []);
  const servers = [...children.filter(child => child.command.endsWith('postgres')).map(child => child.pid), ...orphans];
  for (const pid of servers) signal(pid, 'SIGQUIT');
  const bell = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < waitMs && servers.some(isAlive); waited += pollMs) Atomics.wait(bell, 0, 0, pollMs);
  returnMemoryBelow(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function descendantsOf(ancestor: number): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map(line => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
  });
  const found = all.filter(one => one.parent === ancestor);
  for (const one of found) found.push(...all.filter(other => other.parent === one.pid));
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}
