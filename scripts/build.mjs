// Compiles src/ and simulators/ to dist/ with the project's own TypeScript. `npm ci` runs it (prepare), and bin/peyk
// runs it again when a source is newer than the last build. --if-possible: stay silent where development
// dependencies were left out (npm ci --omit=dev), because a built dist/ may have been shipped.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
if (!existsSync(tsc)) {
  if (process.argv.includes('--if-possible')) process.exit(0);
  console.error('TypeScript is not installed: run "npm ci" (without --omit=dev) to build Peyk.');
  process.exit(1);
}
const stamp = join(root, 'dist', '.built');
rmSync(stamp, { force: true });
const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (run.status === 0) writeFileSync(stamp, `${Date.now()}\n`);
process.exit(run.status ?? 1);
