// `npm test`: types, lint and build side by side, then every test, then formatting. `npm test -- FILES` runs those tests first and
// looks at types and at the lint of changed files afterwards; `--changed` runs the quick tests of what changed since the last
// commit (scripts/changed.mjs); `--only check` runs types, lint and formatting alone. Other options go to Vitest.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changesSince, takeChanged, testsOfChange } from './changed.mjs';
import { isPanelStale } from './stale.mjs';
import { tscArguments } from './type-check.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const only = args.indexOf('--only');
const checkOnly = only >= 0 && args.splice(only, 2)[1] === 'check';
const since = takeChanged(args);
/** The quick loop: the changed files and their tests. Undefined in a full run. */
const quick = since === undefined ? undefined : changesAndTests(since);
/** Named tests run before everything else. */
const named = quick ? [] : args.filter(one => !one.startsWith('-') && existsSync(join(root, one)));
const needsProgram = named.some(path => /^(panel\/e2e|test\/journeys|test\/chaos)/.test(path));
const names = quick ? ['unit'] : ['unit', 'journeys', 'panel'];
const projects = names.flatMap(name => ['--project', name]);
/** More failing files than this have a common cause that another run would not show. */
const fewFiles = 4;
const outsideOfTests = 'errors outside';
const shell = 'chromium-headless-shell';
const browsers = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** So that a machine without a network does not wait for one. */
const patience = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];
const isPlain = !process.stdout.isTTY || Boolean(process.env.NO_COLOR);
const colours = isPlain ? { NO_COLOR: '1', FORCE_COLOR: undefined } : { FORCE_COLOR: '1' };
const environment = { ...process.env, ...colours };

const types = { name: 'types', run: () => beside(tscArguments('tsconfig.json')) };
const lint = { name: 'lint', run: () => biome('lint') };
const format = { name: 'formatting', run: () => biome('check', '--linter-enabled=false') };
const build = { name: 'build', run: () => beside(['scripts/build.mjs']) };
const panelTypes = { name: 'types of the panel', run: () => beside(tscArguments('panel/tsconfig.json')) };
const chromium = { name: 'browser', run: browser };
const tests = { name: 'tests', run: everyTest };

for (const round of rounds()) {
  console.log(`\n== ${round.map(step => step.name).join(', ')}`);
  const results = await Promise.all(round.map(async step => ({ name: step.name, status: await step.run() })));
  const failed = results.filter(one => one.status !== 0);
  for (const { name, status } of failed) console.error(`\n== ${name} failed (${status})`);
  if (failed.length > 0) process.exit(failed[0].status);
}
console.log(
  `\n== passed: ${rounds()
    .flat()
    .map(step => step.name)
    .join(', ')}`,
);
if (quick) {
  console.log('== left out: journeys, browser tests, and what does not import the change (npm test runs all)');
  if (quick.leftOut.length > 0)
    console.log(`   and, because they take long or are far away: ${quick.leftOut.join(' ')}`);
}

/**
 * Rounds run one after another; the steps of a round run concurrently. Formatting comes last, so that it never prevents
 * a test run.
 */
function rounds() {
  if (checkOnly) return [[types, lint, panelTypes], [format]];
  if (named.length > 0) return [...(needsProgram ? [[build], [chromium]] : []), [tests], [types, lint], [format]];
  if (quick) return [[types, lint, build], [tests], [format]];
  // The build of a changed panel checks its types itself and caches the result: the following check takes a second.
  const checks = isPanelStale() ? [[types, lint, build], [panelTypes]] : [[types, lint, build, panelTypes]];
  return [...checks, [chromium], [tests], [format]];
}

/** A step that runs beside others: its output is printed in one piece at its end. */
function beside(list) {
  return new Promise(resolve => {
    const output = [];
    const child = spawn(process.execPath, list, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => output.push(piece));
    child.on('error', error => output.push(`${error.message}\n`));
    child.on('close', code => {
      process.stdout.write(Buffer.concat(output.map(piece => Buffer.from(piece))));
      resolve(code ?? 1);
    });
  });
}

function biome(...command) {
  const options = ['--no-errors-on-unmatched', '--files-ignore-unknown=true', `--colors=${isPlain ? 'off' : 'force'}`];
  const paths = quick || named.length > 0 ? changedPaths() : ['.'];
  if (paths.length === 0) return 0;
  return beside(['node_modules/@biomejs/biome/bin/biome', ...command, ...options, ...paths]);
}

function changedPaths() {
  return (quick ?? changesAndTests('')).changed.filter(path => existsSync(join(root, path)));
}

function changesAndTests(commit) {
  try {
    const changes = changesSince(root, commit);
    return { ...changes, ...testsOfChange(root, changes) };
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

// Up to four failing files run again alone, so that one run shows which of them depend on the load. A file that passes only when it
// runs again fails the whole run, unless test/support/run/flaky-files.json lists it with the reason.
function everyTest() {
  if (quick?.tests.length === 0) {
    console.log('no quick test imports what changed');
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'peyk-failed-'));
  try {
    const place = join(folder, 'files');
    const status = vitest([...projects, ...(quick?.tests ?? []), ...args], { FAILED_TEST_FILES: place });
    const failed = existsSync(place) ? readFileSync(place, 'utf8').split('\n').filter(Boolean) : [];
    const files = failed.map(line => line.slice(line.indexOf(' ') + 1));
    const isFew = files.length > 0 && files.length <= fewFiles && !failed.includes(outsideOfTests);
    if (status === 0 || quick || named.length > 0 || !isFew) return status;
    console.error(`\n== once more, alone: ${files.join(', ')}`);
    const alone = vitest([...projects, '--no-file-parallelism', ...files]);
    if (alone !== 0) return alone;
    console.error(`\n== flaky, failed beside the others and passed alone: ${files.join(', ')}`);
    const listed = JSON.parse(readFileSync(join(root, 'test/support/run/flaky-files.json'), 'utf8'));
    const unlisted = files.filter(file => !Object.hasOwn(listed, file));
    if (unlisted.length > 0)
      console.error(`== not listed in test/support/run/flaky-files.json: ${unlisted.join(', ')}`);
    return unlisted.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function vitest(list, env = {}) {
  const reporters = ['--reporter', 'default', '--reporter', './test/support/run/failed-files.ts'];
  return execute(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...list], env);
}

function execute(program, list, env = {}) {
  const done = spawnSync(program, list, { cwd: root, stdio: 'inherit', env: { ...environment, ...env } });
  if (done.error) console.error(done.error.message);
  return done.status ?? 1;
}

// The panel's end-to-end tests drive an installed Chromium; nothing is downloaded from anywhere but the system's own
// package source. The shell without a window is installed beside a whole Chromium too: the tests take an eighth less CPU with it.
function browser() {
  const canInstall = process.platform === 'linux' && process.getuid() === 0 && onPath('apt-get');
  const isThere = () => browsers.some(onPath);
  if (canInstall && !onPath(shell) && installPackage(shell) !== 0 && (isOffered(shell) || !isThere())) {
    if (execute('apt-get', ['update', ...patience]) === 0 && installPackage(shell) !== 0 && !isThere())
      installPackage('chromium');
  }
  if (isThere()) {
    console.log(`found ${browsers.find(onPath)}`);
    return 0;
  }
  console.error(`The panel's end-to-end tests need Chromium on the PATH (${browsers.join(', ')}).`);
  console.error('Debian, Ubuntu: sudo apt-get install chromium    macOS: brew install --cask chromium');
  return 1;
}

/** No other package may be removed for it. */
function installPackage(name) {
  return execute('apt-get', ['install', '-y', '--no-install-recommends', '--no-remove', ...patience, name]);
}

/** Known to this system's package lists, so that updating them may help. */
function isOffered(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
