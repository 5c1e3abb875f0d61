// Every source of the repository with its text and its imports, for the tests of structural rules.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const packageFolders = ['packages/client/src', 'packages/client/generate', 'packages/n8n-nodes-peyk/src'];
export const folders = ['src', 'simulators', 'test', 'bench', 'scripts', 'panel/src', 'panel/e2e', ...packageFolders];

export type File = { path: string; text: string; isTest: boolean };
type Import = { from: string; to: string };

/** Tests, and what stands beside the sources only for them. */
function isTestFile(path: string): boolean {
  return /\.test\.tsx?$|^test\/|^panel\/e2e\/|-fixtures?\.ts$|\/(session-pair|self-signed|independent-esme)\.ts$/.test(
    path,
  );
}

export const files: File[] = folders.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(tsx?|mjs)$/.test(name))
    .map(name => {
      const path = join(folder, name);
      return { path, text: readFileSync(join(root, path), 'utf8'), isTest: isTestFile(path) };
    }),
);

/** What the program and its simulators are made of. */
export const sources = files.filter(file => /^(src|simulators)\//.test(file.path) && !file.isTest);
/** What the panel is made of in the browser. */
export const panelSources = files.filter(file => file.path.startsWith('panel/src/') && !file.isTest);

export function importsOf(file: File): Import[] {
  const found = file.text.matchAll(
    /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
  );
  return [...found].map(match => {
    const target = (match[1] ?? match[2] ?? match[3])!;
    return { from: file.path, to: target.startsWith('.') ? normalize(join(dirname(file.path), target)) : target };
  });
}

/** Functions of the database, and statements written in TypeScript. */
export const sqlFiles: { path: string; text: string }[] = readdirSync(join(root, 'src'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter(name => name.endsWith('.sql'))
  .map(name => ({ path: join('src', name), text: readFileSync(join(root, 'src', name), 'utf8') }));
