// A small disk that can be filled completely: a tmpfs, which only root may mount. Elsewhere there is none.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from '../run/clear-away.ts';

export type SmallDisk = { folder: string; fill(): void; empty(): void };

const pieceBytes = 16 * 1024 * 1024;

export function smallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'peyk-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmdirSync(folder);
    return null;
  }
  atEndOfFile(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  const filler = join(folder, 'filler');
  const piece = Buffer.alloc(pieceBytes);
  return {
    folder,
    fill() {
      for (let free = freeOf(folder); free > 0; free = freeOf(folder)) {
        try {
          writeFileSync(filler, piece.subarray(0, Math.min(free, pieceBytes)), { flag: 'a' });
        } catch {
          return;
        }
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}

function freeOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
