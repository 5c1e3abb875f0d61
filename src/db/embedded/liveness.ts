// Checks whether a process still runs. Process ids are reused (within hours on a busy machine, at once in a restarted container), so an id
// counts only together with the start time of its process.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** The start time of a process as an opaque text; null if it has ended, zombies included. */
export function startOf(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (process.platform !== 'linux') return psField(pid, 'lstart=');
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the command in brackets and may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  // Ticks since boot repeat after a reboot, hence the boot's own id in front.
  return `${readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${fields[19]}`;
}

export function isAlive(pid: number): boolean {
  return startOf(pid) !== null;
}

export function commandLineOf(pid: number): string[] {
  if (process.platform !== 'linux') return (psField(pid, 'command=') ?? '').split(' ');
  return (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
}

/** Returns null if the system does not say. */
export function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function psField(pid: number, field: string): string | null {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim() || null;
  } catch {
    return null;
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
