// The installed Chromium, driven without a window: one for a test file, closed with it. Nothing is downloaded; the
// browser is the one on the PATH. The shell without a window of its own is taken first where there is one: a whole Chromium
// draws tabs and menus that nobody sees, for every person of every test.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
// The last list wins, so those of Playwright that matter to pages stand here again. The others are pages in Chromium's own
// bar, each a process of its own with every new window: without them a window costs 0.5 s of a core instead of 1.3.
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

/** Before the first page. Pages that are used once are slower to compile for speed than to run without it: 13 % of their CPU. */
export const engine = { optimises: false };
const withoutOptimising = '--js-flags=--no-maglev --no-turbofan';

let started: Promise<Browser> | null = null;

afterAll(async () => {
  await (await started)?.close();
});

export function browser(): Promise<Browser> {
  // Chromium refuses to run its sandbox for root, as whom containers often run tests.
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
