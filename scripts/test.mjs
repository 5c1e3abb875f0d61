// `npm test`: types, lint, build, then every test. Stops at the first step that fails. `--only check` runs the first
// two; every other argument goes to Vitest (`npm test -- src/text`).
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const only = args.indexOf('--only');
const checkOnly = only >= 0 && args.splice(only, 2)[1] === 'check';
const projects = ['unit', 'journeys', 'panel'].flatMap(name => ['--project', name]);
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const steps = [
  { name: 'types', run: () => types('tsconfig.json') || types('panel/tsconfig.json') },
  { name: 'lint', run: () => node('node_modules/@biomejs/biome/bin/biome', 'ci', '.') },
  ...(checkOnly
    ? []
    : [
        { name: 'build', run: () => node('scripts/build.mjs') },
        { name: 'browser', run: browser },
        { name: 'tests', run: () => node('node_modules/vitest/vitest.mjs', 'run', ...projects, ...args) },
      ]),
];

for (const step of steps) {
  console.log(`\n== ${step.name}`);
  const status = step.run();
  if (status !== 0) {
    console.error(`\n== ${step.name} failed (${status})`);
    process.exit(status);
  }
}
console.log(`\n== passed: ${steps.map(step => step.name).join(', ')}`);

function types(project) {
  return node('node_modules/typescript/bin/tsc', '-p', project, '--noEmit');
}

function node(...command) {
  return execute(process.execPath, command);
}

function execute(program, list) {
  const done = spawnSync(program, list, { cwd: root, stdio: 'inherit' });
  if (done.error) console.error(done.error.message);
  return done.status ?? 1;
}

// The panel's end-to-end tests drive an installed Chromium; nothing is downloaded from anywhere but the system's own
// package source.
function browser() {
  if (!projects.includes('panel')) {
    console.log('not needed: the browser tests of the panel are a run of their own (npm run test:panel)');
    return 0;
  }
  if (!existsSync(join(root, 'panel', 'e2e'))) {
    console.log('not needed: there are no end-to-end tests of the panel');
    return 0;
  }
  const found = browsers.find(onPath);
  if (found) {
    console.log(`found ${found}`);
    return 0;
  }
  if (process.platform === 'linux' && process.getuid() === 0 && onPath('apt-get')) {
    const installed = execute('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
    if (installed === 0) return 0;
    return (
      execute('apt-get', ['update']) || execute('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    );
  }
  console.error(`The panel's end-to-end tests need Chromium on the PATH (${browsers.join(', ')}).`);
  console.error('Debian, Ubuntu: sudo apt-get install chromium    macOS: brew install --cask chromium');
  return 1;
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
