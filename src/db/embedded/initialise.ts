// Creates the cluster on the first start, in a folder beside the final one that is renamed at the end, so a crash leaves nothing that looks
// like a database. Locale C: comparisons are by bytes, fast and the same on every machine; lists that are shown ask for Turkish order.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../log.ts';
import { type Binaries, cleanEnvironment } from './binaries.ts';
import { explainPrivilege, type Identity, initdbIdentity, waysOut } from './identity.ts';
import { owner } from './layout.ts';

const initdbArguments = [
  `--username=${owner}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=libc',
  '--data-checksums',
  // Access to the socket's folder (0700) is enough to connect; connections over the network are refused.
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
];
const outputCharsMax = 4_000;

/** The major version that wrote the cluster, or null when there is none yet. */
export function clusterMajor(cluster: string): number | null {
  const file = join(cluster, 'PG_VERSION');
  if (existsSync(file)) return Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new Error(`${cluster} holds files but no PostgreSQL data: move them away or set another PEYK_DATA`);
  }
  return null;
}

export async function initialiseCluster(options: {
  cluster: string;
  binaries: Binaries;
  identity: Identity | null;
  durable: boolean;
  log: Log;
}): Promise<void> {
  const { cluster, binaries, identity } = options;
  const draft = `${cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    const builder = identity ? initdbIdentity() : null;
    if (builder) chownSync(draft, builder.uid, builder.gid);
    await runInitdb(binaries, draft, builder, options.durable);
    if (identity) handOver(draft, identity);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw explainPrivilege(cause);
  }
  chmodSync(draft, 0o700);
  if (existsSync(cluster)) rmSync(cluster, { recursive: true });
  renameSync(draft, cluster);
  if (options.durable) syncFolder(dirname(cluster));
  options.log.info({ cluster, major: binaries.major }, 'embedded: made a new database cluster');
}

async function runInitdb(binaries: Binaries, folder: string, as: Identity | null, durable: boolean): Promise<void> {
  const rest = durable ? initdbArguments : [...initdbArguments, '--no-sync'];
  const child = spawn(join(binaries.binDir, 'initdb'), ['-D', folder, ...rest], {
    cwd: '/',
    env: cleanEnvironment(binaries),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-outputCharsMax);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`initdb failed (${code}): ${output.trim()}\n${waysOut}`);
}

/** Changes the owner of data that root restored or copied: PostgreSQL refuses files of others. */
export function ensureOwner(cluster: string, identity: Identity): void {
  if (statSync(cluster).uid !== identity.uid) handOver(cluster, identity);
}

// The folder itself comes last: if this is interrupted, its owner still says that there is work to do.
function handOver(path: string, to: Identity): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) handOver(inner, to);
    else lchownSync(inner, to.uid, to.gid);
  }
  chownSync(path, to.uid, to.gid);
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
