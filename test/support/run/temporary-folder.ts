// Temporary folders of a test file, removed when the file is done. Mode 0700, as `mktemp -d` makes them.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { returnMemoryBelow } from '../database/killed-servers.ts';
import { atEndOfFile } from './clear-away.ts';

export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'peyk-folder-'));
  atEndOfFile(() => {
    if (existsSync(folder)) returnMemoryBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
