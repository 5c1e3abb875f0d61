// The Chromium on the PATH, headless, one for each test file. The headless shell is preferred: a whole Chromium draws tabs and
// menus that nobody sees.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
// Chromium uses only the last list, so the features of Playwright's list that matter are repeated here. The others are parts of
// Chromium's own window, each with a process: without them a window costs 0.5 CPU seconds instead of 1.3.
const disabled = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'AimEnabled',
  'InitialWebUI',
  'LensOverlay',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'WebUIToolbar',
];
const flags = [
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabled.join(',')}`,
];

/** To be set before the first page. For pages used once, optimising costs more than it saves: 13 % of their CPU. */
export const engine = { optimises: false };
const withoutOptimising = '--js-flags=--no-maglev --no-turbofan';

let started: Promise<Browser> | null = null;

afterAll(async () => {
  await (await started)?.close();
});

export function browser(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root, which is common in containers.
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(engine.optimises ? [] : [withoutOptimising]),
    ...flags,
  ];
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
