// Whether a source is newer than its build. A shipped program without sources is never stale.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const programStamp = join(root, 'dist', '.built');
export const docsFolder = join(root, 'dist', 'docs');
const panelPage = join(root, 'panel', 'dist', 'index.html');

export function isProgramStale() {
  const makers = ['scripts/bundle.mjs', 'scripts/keep-code.cjs', 'bin/load.cjs'];
  return isOlder(
    programStamp,
    ['src', 'simulators', ...makers],
    name => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
}

export function isPanelStale() {
  if (!existsSync(join(root, 'panel', 'src', 'main.tsx'))) return false;
  return isOlder(
    panelPage,
    ['panel/src', 'panel/public', 'panel/vite.config.ts', 'src/text', 'src/tables', 'src/contract', 'src/panel-api'],
    name => !name.includes('.test.'),
  );
}

/** The site at /docs is built from docs/ and a few other files (scripts/docs-site/pages.mjs). */
export function isDocsStale() {
  if (!existsSync(join(root, 'scripts', 'docs-site'))) return false;
  const page = join(docsFolder, 'index.html');
  if (isOlder(page, ['docs', 'scripts/docs-site'], () => true)) return true;
  const outside = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ops/README.md', 'ops/failover/README.md'];
  const readmes = ['packages/client', 'packages/n8n-nodes-peyk', 'simulators/smsc'].map(one => `${one}/README.md`);
  return [...outside, ...readmes]
    .map(name => join(root, name))
    .some(path => existsSync(path) && statSync(path).mtimeMs > statSync(page).mtimeMs);
}

/** Packages that others install: their sources, and the last file that is written. */
export const packages = ['client', 'n8n-nodes-peyk'].map(name => join('packages', name));

export function isPackageStale(folder) {
  if (!existsSync(join(root, folder, 'tsconfig.json'))) return false;
  return isOlder(join(root, folder, 'dist', '.built'), [join(folder, 'src')], name => !name.includes('.test.'));
}

function isOlder(built, places, counts) {
  const present = places.map(place => join(root, place)).filter(existsSync);
  if (present.length === 0) return false;
  if (!existsSync(built)) return true;
  const time = statSync(built).mtimeMs;
  return present.some(place => newest(place, counts) > time);
}

function newest(folder, counts) {
  const itself = statSync(folder);
  if (itself.isFile()) return itself.mtimeMs;
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) time = Math.max(time, newest(path, counts));
    else if (counts(entry.name)) time = Math.max(time, statSync(path).mtimeMs);
  }
  return time;
}
