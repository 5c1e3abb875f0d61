// The installed Chromium, driven without a window: one for a test file, closed with it. Nothing is downloaded; the
// browser is the one on the PATH.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const flags = [
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let started: Promise<Browser> | null = null;

afterAll(async () => {
  await (await started)?.close();
});

export function browser(): Promise<Browser> {
  // Chromium refuses to run its sandbox for root, as whom containers often run tests.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...flags] : flags;
  started ??= chromium.launch({ executablePath: installedChromium(), args });
  return started;
}

function installedChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = names.flatMap(name => folders.map(folder => join(folder, name))).find(isRunnable);
  if (!found) throw new Error(`no Chromium on the PATH (${names.join(', ')})`);
  return found;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
