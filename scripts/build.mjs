// Compiles src/ and simulators/ to dist/ with the project's own TypeScript, the panel to panel/dist, docs/ to dist/docs, packages to their dist. `npm ci` runs it
// (prepare), and bin/peyk runs it again when a source is newer than the last build. --if-possible: stay silent where
// development dependencies were left out (npm ci --omit=dev), because a built dist/ may have been shipped; and types of what was
// just fetched are not looked at (20 s of a core), because nobody has changed it, and `npm test` looks at all of them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressFolder } from './compress.mjs';
import { isDocsStale, isPackageStale, isPanelStale, isProgramStale, packages, programStamp, root } from './stale.mjs';
import { oneChecker, tscArguments } from './type-check.mjs';

const isFetched = process.argv.includes('--if-possible');
const bin = (...path) => join(root, 'node_modules', ...path);
const tools = {
  tsc: bin('typescript', 'bin', 'tsc'),
  vite: bin('vite', 'bin', 'vite.js'),
  keepCode: join(root, 'scripts', 'keep-code.cjs'),
};

function run(name, args, cwd) {
  if (!existsSync(tools[name])) {
    if (isFetched) process.exit(0);
    console.error(`${name} is not installed: run "npm ci" (without --omit=dev) to build Peyk.`);
    process.exit(1);
  }
  // Asked for by a test the environment says so, and the panel would be built with what only developers need (+ 50 kB).
  const env = { ...process.env, NODE_ENV: 'production' };
  // V8 refuses a code cache made under other flags than those of the program.
  if (name === 'keepCode') delete env.NODE_OPTIONS;
  const result = spawnSync(process.execPath, [tools[name], ...args], { cwd, env, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The time of the commit, or of this build without a history (src/db/build.ts). */
function buildNumber() {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  const time = status === 0 && existsSync(join(root, '.git')) ? new Date(Number(stdout) * 1_000) : new Date();
  return time.toISOString().replace(/\D/g, '').slice(0, 14);
}

// A release contains nothing of former builds.
if (process.argv.includes('--clean'))
  for (const built of ['dist', 'panel/dist', ...packages.map(folder => join(folder, 'dist'))])
    rmSync(join(root, built), { recursive: true, force: true });
if (isProgramStale()) {
  rmSync(programStamp, { force: true });
  run('tsc', ['-p', 'tsconfig.build.json', ...oneChecker, ...(isFetched ? ['--noCheck'] : [])], root);
  const { bundleProgram } = await import('./bundle.mjs');
  await bundleProgram();
  run('keepCode', [], root);
  writeFileSync(join(root, 'dist', 'src', 'build.txt'), `${buildNumber()}\n`);
  writeFileSync(programStamp, `${Date.now()}\n`);
}
if (isPanelStale()) {
  // Vite drops types without checking them; a text that one language lacks must fail here.
  if (!isFetched) run('tsc', tscArguments('panel/tsconfig.json').slice(1), root);
  run('vite', ['build', '--logLevel', 'warn'], join(root, 'panel'));
  compressFolder(join(root, 'panel', 'dist'));
}
if (isDocsStale()) {
  // The program works without the site; its pages then say how to build it.
  const site = await import('./docs-site/make.mjs').catch(error => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    if (!isFetched) console.error(`The site at /docs is not built: run "npm ci" first.`);
  });
  await site?.makeDocs();
}
for (const folder of packages.filter(isPackageStale)) {
  const built = join(root, folder, 'dist');
  // The folder is published, so files of former builds must not stay in it.
  rmSync(built, { recursive: true, force: true });
  run('tsc', ['-p', join(folder, 'tsconfig.json'), ...oneChecker], root);
  for (const name of readdirSync(join(root, folder, 'src')).filter(one => one.endsWith('.svg')))
    copyFileSync(join(root, folder, 'src', name), join(built, name));
  writeFileSync(join(built, '.built'), '');
}
