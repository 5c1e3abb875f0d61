// Backups in a folder: another disk or a mounted one. An object is written to a temporary file, synced and renamed, so that a crash
// leaves the whole object or a temporary file that is never read.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store, Stored } from './store.ts';

const draftMark = '.draft-';

export function folderStore(folder: string): Store {
  return {
    place: folder,
    async put(key, body) {
      const path = join(folder, key);
      const draft = `${path}${draftMark}${randomBytes(6).toString('hex')}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await writeSynced(draft, body);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder(dirname(path));
    },
    async get(key) {
      return readFile(join(folder, key)).catch(orNull);
    },
    async list(prefix) {
      const found: Stored[] = [];
      for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true }).catch(orNull)) ?? []) {
        const path = join(entry.parentPath, entry.name);
        const key = path.slice(folder.length + 1);
        if (!entry.isFile() || !key.startsWith(prefix) || key.includes(draftMark)) continue;
        // Removed since the folder was listed.
        const known = await stat(path).catch(orNull);
        if (known) found.push({ key, bytes: known.size });
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async remove(key) {
      await rm(join(folder, key), { force: true });
    },
  };
}

async function writeSynced(path: string, body: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
