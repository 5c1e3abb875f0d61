// The processes of a running program by their role, as the operating system knows them: tests kill and freeze them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

type Role = 'api' | 'dispatch' | 'background' | 'smpp' | 'smsc' | 'registry' | 'other';
export type Process = { pid: number; role: Role };

export function descendants(ancestor: number): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map(line => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), args: args.join(' ') };
  });
  const found = all.filter(one => one.parent === ancestor);
  for (const one of found) found.push(...all.filter(other => other.parent === one.pid));
  return found.filter(one => !one.args.includes('postgres')).map(({ pid, args }) => ({ pid, role: roleOf(pid, args) }));
}

function roleOf(pid: number, args: string): Role {
  const simulator = /simulators\/(smsc|registry)\//.exec(args)?.[1];
  if (simulator) return simulator as Role;
  return (/"role":"(api|dispatch|background|smpp)"/.exec(environmentOf(pid))?.[1] as Role | undefined) ?? 'other';
}

/** A process of the program gets its role in its environment. */
function environmentOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/environ`, 'utf8');
    return execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Child processes that this one started itself, such as the sessions of a database server. */
export function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map(line => line.trim().split(/\s+/).map(Number)).flatMap(([pid, of]) => (of === parent ? [pid!] : []));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function signalQuietly(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

/** Peak memory of a process; its present memory if the system does not report the peak. */
export function peakMegabytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) / 1_024;
}
