// Temporary folders of a test file, removed when the file is done. Mode 0700, as `mktemp -d` makes them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from './clear-away.ts';

export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'peyk-folder-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
