// The program of an earlier release, built from the clone's own history: migrations/releases.txt names its commit. Only the
// server is taken and compiled, without type checks (4 s, once, because it is kept in node_modules/.cache, which no release
// contains and `npm ci` empties).
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewer, programVersion } from '../../../src/db/version.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';

type Release = { version: string; commit: string };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const modules = join(root, 'node_modules');
const kept = join(modules, '.cache', 'peyk-releases');
const parts = ['bin', 'src', 'simulators', 'migrations', 'scripts', 'panel/package.json'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** The release whose databases are upgraded with all nodes stopped. */
export const lastBeforeStop = '0.2.0';

/** Whether it is available here; a shallow copy first tries to fetch its history. Says what to do if it cannot. */
export function isInHistory(version = previousVersion()): boolean {
  const release = releaseOf(version);
  if (knows(release, root)) return true;
  try {
    execFileSync('git', ['fetch', '--quiet', '--unshallow'], { cwd: root, stdio: 'ignore', timeout: 60_000 });
  } catch {
    // Not a copy of a repository, or no remote to fetch from.
  }
  if (knows(release, root)) return true;
  console.warn(`left out: ${missing(release)}`);
  return false;
}

/** The folder of its program, built. */
export function builtRelease(version = previousVersion()): string {
  const release = releaseOf(version);
  const folder = join(kept, `${release.version}-${release.commit.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const source = join(temporaryFolder(), 'release');
  takeFromHistory(release, source, root);
  giveDependencies(source);
  compile(source);
  // Renamed in one step, because another test file may be building the same one.
  mkdirSync(kept, { recursive: true });
  const fresh = mkdtempSync(join(kept, 'making-'));
  cpSync(source, fresh, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true });
  }
  return folder;
}

export function releases(): Release[] {
  const lines = readFileSync(join(root, 'migrations', 'releases.txt'), 'utf8')
    .trim()
    .split('\n');
  return lines.map(line => line.split(/\s+/)).map(([version, commit]) => ({ version: version!, commit: commit! }));
}

function previousVersion(): string {
  return newestBefore(programVersion(), releases()).version;
}

function releaseOf(version: string): Release {
  return releases().find(one => one.version === version)!;
}

export function newestBefore(version: string, all: Release[]): Release {
  const earlier = all.filter(one => isNewer(version, one.version));
  const found = earlier.toSorted((a, b) => (isNewer(a.version, b.version) ? -1 : 1))[0];
  if (!found) throw new Error(`migrations/releases.txt names no release before ${version}`);
  return found;
}

/** `clone`: whose history it is. */
export function takeFromHistory(release: Release, folder: string, clone: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  if (!knows(release, clone)) throw new Error(missing(release));
  execFileSync('git', ['archive', '--output', archive, release.commit, ...parts, ...files], { cwd: clone });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
}

function knows({ commit }: Release, clone: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: clone, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function missing({ version, commit }: Release): string {
  return (
    `release ${version} (commit ${commit}) is not in the history of this copy, and the upgrade from it is tested with its own program. ` +
    'Run "git fetch --unshallow" (in a workflow: fetch-depth: 0), or test in a full clone of the repository.'
  );
}

/** Our dependencies if they match; else its own, by its lock file. */
function giveDependencies(folder: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (Object.entries(dependencies as Record<string, string>).every(([name, wanted]) => fits(name, wanted))) return;
  execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}

/** By the first nonzero number of a version: the numbers after it are compatible. */
function fits(name: string, wanted: string): boolean {
  const file = join(modules, name, 'package.json');
  if (!existsSync(file)) return false;
  const breaking = (version: string) => /^(0\.)*\d+/.exec(version)?.[0];
  return breaking(JSON.parse(readFileSync(file, 'utf8')).version) === breaking(wanted);
}

/** Outside node_modules, where the compiler writes nothing. */
function compile(folder: string): void {
  const own = existsSync(join(folder, 'node_modules'));
  if (!own) symlinkSync(modules, join(folder, 'node_modules'));
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--sourceMap', 'false'];
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  run(compiler, ...options);
  run('--input-type=module', '--eval', "await (await import('./scripts/bundle.mjs')).bundleProgram()");
  if (!own) rmSync(join(folder, 'node_modules'));
}
