// Paths of the embedded database below the data directory, and of its socket. A Unix socket path may not exceed 107 bytes (103 on macOS), so
// a deep data directory has its socket folder under the system's temporary folder, named by a hash that every process computes.
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Identity } from './identity.ts';

export type Layout = {
  dataDir: string;
  cluster: string;
  socketDir: string;
  socketInTemporary: boolean;
  config: string;
  log: string;
  diskReserve: string;
};

export type EmbeddedConnection = { host: string; port: number; user: string; database: string };

export const port = 5432;
export const owner = 'peyk';
const socketPathBytesMax = 100;

/** Computes names only, so it works for a data directory that does not exist. */
export function layoutOf(dataDir: string): Layout {
  const root = realOrResolved(dataDir);
  const inside = join(root, 'run');
  const socketInTemporary = Buffer.byteLength(join(inside, `.s.PGSQL.${port}`)) > socketPathBytesMax;
  return {
    dataDir: root,
    cluster: join(root, 'postgres'),
    socketDir: socketInTemporary ? temporarySocketDir(root) : inside,
    socketInTemporary,
    config: join(root, 'postgres.conf'),
    log: join(root, 'postgres.log'),
    diskReserve: join(root, 'ballast'),
  };
}

export function connectionTo(socketDir: string, database = owner): EmbeddedConnection {
  return { host: socketDir, port, user: owner, database };
}

/**
 * The folder (mode 0700) controls access, not a password: only the server's user and root can enter, and they can read the cluster's files
 * anyway.
 */
export function prepareSocketDir(layout: Layout, identity: Identity | null): void {
  mkdirSync(layout.socketDir, { recursive: true, mode: 0o700 });
  const found = lstatSync(layout.socketDir);
  const allowed = [process.getuid?.(), identity?.uid];
  if (!found.isDirectory() || !allowed.includes(found.uid)) {
    throw new Error(`${layout.socketDir} belongs to somebody else (uid ${found.uid}): remove it and start again`);
  }
  if (identity) chownSync(layout.socketDir, identity.uid, identity.gid);
  chmodSync(layout.socketDir, 0o700);
}

function realOrResolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function temporarySocketDir(root: string): string {
  const name = `peyk-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  const usual = join(tmpdir(), name);
  return Buffer.byteLength(join(usual, `.s.PGSQL.${port}`)) > socketPathBytesMax ? join('/tmp', name) : usual;
}
