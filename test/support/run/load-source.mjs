// A file of src/ for a process that a test starts and kills: as it was built, or through Vite where a source is newer than the
// build, because Node 20 cannot run TypeScript. Vite costs 1.5 s of CPU for each process.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isProgramStale, root } from '../../../scripts/stale.mjs';

const isStale = isProgramStale();

export async function load(file) {
  if (!isStale) return import(pathToFileURL(join(root, 'dist', 'src', file.replace(/\.ts$/, '.js'))).href);
  const { runnerImport } = await import('vite');
  return (await runnerImport(join(root, 'src', file), { configFile: false })).module;
}
