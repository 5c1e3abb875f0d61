// `npm run bench [name …]`: builds, then runs the benchmarks in bench/ one after another, never two at once. Results are
// to be read as ratios inside one run; close other programs first.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stale.mjs';

const wanted = process.argv.slice(2);
const names = readdirSync(join(root, 'bench'))
  .filter(name => name.endsWith('.bench.mjs'))
  .map(name => name.slice(0, -'.bench.mjs'.length))
  .filter(name => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  console.error(`no such benchmark: ${wanted.join(', ')}`);
  process.exit(1);
}
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
if (run(join(root, 'scripts', 'build.mjs')) !== 0) process.exit(1);
let failed = false;
for (const name of names) {
  console.log(`\n== ${name}`);
  if (run(join(root, 'bench', `${name}.bench.mjs`)) !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
