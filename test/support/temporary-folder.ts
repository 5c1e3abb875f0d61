// Temporary folders of a test file, removed when the file is done. Mode 0700, as `mktemp -d` makes them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

// Registered on import, hence first, hence (hooks run in reverse) after the file's own hooks have stopped what uses them.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'peyk-folder-'));
  folders.push(folder);
  return folder;
}
