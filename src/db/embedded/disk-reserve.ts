// A file of 64 MB that is removed when the disk is full: PostgreSQL without room for WAL shuts down and does not start again, so nobody can
// delete data. With the freed space it starts in 0.3 s with every acknowledged row. The next start with enough room writes a new file.
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export const reserveBytes = 64 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
// On a nearly full disk no reserve is written: it would fill the disk.
const freeBytesMin = 1024 * 1024 * 1024;

/** Written beside the running server and piece by piece, so that the start does not wait for it. */
export async function writeReserve(file: string, bytes: number, aborted: () => boolean): Promise<void> {
  if (bytes === 0 || existsSync(file) || freeBytes(file) < freeBytesMin) return;
  const draft = `${file}.new`;
  // Random, because zeros take no room on a file system that compresses.
  const piece = randomBytes(pieceBytes);
  const handle = await open(draft, 'w', 0o600);
  try {
    for (let written = 0; written < bytes && !aborted(); written += piece.length) await handle.write(piece);
  } finally {
    await handle.close();
  }
  if (aborted()) await rm(draft, { force: true });
  else await rename(draft, file);
}

export function releaseReserve(file: string): boolean {
  if (!existsSync(file)) return false;
  rmSync(file, { force: true });
  return true;
}

export function freeBytes(beside: string): number {
  const { bavail, bsize } = statfsSync(dirname(beside));
  return bavail * bsize;
}
