// Where a test run keeps its files: in memory if there is enough, else in the temporary folder. Every test file has databases
// of a thousand files each, created and removed within seconds, which slows down a disk's file system: in memory a run takes a
// twentieth less. A run needs 1.2 GB at most, and nothing of it has to survive.
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const prefix = 'peyk-test-';
const gib = 1024 ** 3;
const roomMinBytes = 8 * gib;
/** A killed run cannot remove its folder, and no nightly job empties this memory as it does /tmp. */
const staleAfterMs = 24 * 3_600_000;

export function makeRunFolder(): string {
  // An explicit TMPDIR is respected.
  const isInMemory = process.env['TMPDIR'] === undefined && hasRoom();
  if (isInMemory) removeStale();
  return mkdtempSync(join(isInMemory ? inMemory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return mayRunPrograms() && bavail * bsize >= roomMinBytes && freeMemoryBytes() >= roomMinBytes + 4 * gib;
  } catch {
    return false;
  }
}

/** Some tests install the program in their folder; containers often mount this one with `noexec`. */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , type, options = ''] = mounts.find(line => line.split(' ')[1] === inMemory)?.split(' ') ?? [];
  return type === 'tmpfs' && !options.split(',').includes('noexec');
}

function freeMemoryBytes(): number {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? '0';
  // Of a container; no limit is reported as none or as more than any machine has.
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.min(Number(available) * 1024, limit);
}

/** Only our own: others' files on the same machine stay. */
function removeStale(): void {
  for (const name of readdirSync(inMemory).filter(one => one.startsWith(prefix))) {
    const folder = join(inMemory, name);
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs > staleAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}
