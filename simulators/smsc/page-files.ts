/*
 * The page's own files, served from the source tree: the compiler moves only .ts files, so they are found from the package's
 * root, the nearest folder with a package.json.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type PageFile = { headers: Record<string, string>; content: Buffer };

const FILES: Record<string, { name: string; type: string }> = {
  '/': { name: 'page.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page-words.js': { name: 'page-words.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
};

/* Built with the documentation and the panel; before a build the page does without. */
const identity = (): Record<string, { name: string; type: string }> => ({
  '/identity.css': { name: 'dist/docs/identity.css', type: 'text/css; charset=utf-8' },
  '/scheme.js': { name: 'dist/docs/scheme.js', type: 'text/javascript; charset=utf-8' },
  ...Object.fromEntries(
    ['instrument-sans', 'instrument-sans-turkish', 'geist-mono', 'geist-mono-turkish'].map(face => [
      `/panel/assets/${face}-5.3.0.woff2`,
      { name: `panel/dist/assets/${face}-5.3.0.woff2`, type: 'font/woff2' },
    ]),
  ),
});

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function pageFile(path: string): Promise<PageFile | undefined> {
  const found = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  const shared = identity()[path];
  if (!found && !shared) return undefined;
  const type = (found ?? shared)!.type;
  const file = found ? join('simulators', 'smsc', found.name) : shared!.name;
  const content = await readFile(join(packageRoot(), file)).catch(error => {
    if (found) throw error;
    return null;
  });
  if (!content) return undefined;
  return {
    content,
    headers: {
      'content-type': type,
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  };
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
