// Temporary folders of a test file, removed when the file is done. Mode 0700, as `mktemp -d` makes them.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from './clear-away.ts';
import { returnMemoryBelow } from './killed-servers.ts';

export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'peyk-folder-'));
  atEndOfFile(() => {
    if (existsSync(folder)) returnMemoryBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
