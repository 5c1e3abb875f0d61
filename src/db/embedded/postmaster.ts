// One PostgreSQL server: recognises it from its pid file, starts it, waits until it serves, stops it; also a server that outlived a killed
// program. The server has its own process group: Ctrl-C signals the terminal's whole group, and the database must outlive the drain.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../time/clock.ts';
import { openClient } from '../db.ts';
import { type Binaries, cleanEnvironment } from './binaries.ts';
import { explainPrivilege, type Identity } from './identity.ts';
import { connectionTo, type Layout, owner, port } from './layout.ts';
import { commandLineOf, isAlive, workingFolderOf } from './liveness.ts';

type Postmaster = { pid: number; socketDir: string; status: string };

const pollMs = 10;
// Replaying 1 GB of WAL takes about 30 s.
const readyTimeoutMs = 10 * 60 * 1000;
const fastStopMs = 10_000;
const immediateStopMs = 10_000;
const logTailBytes = 4_000;

/** The running server of this cluster, or null. Removes a pid file whose id belongs to another process now. */
export function livingPostmaster(cluster: string): Postmaster | null {
  const file = join(cluster, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Math.abs(Number(lines[0]));
  if (!isAlive(pid)) return null;
  if (!serves(pid, cluster)) {
    // PostgreSQL would trust the file if the other process has its user id, and refuse to start, as happens in restarted containers. It checks
    // independently whether the shared memory of an old server is in use.
    rmSync(file, { force: true });
    return null;
  }
  return { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
}

/** Recognises a server by its arguments, or by its working folder if it was started otherwise (containers may forbid reading that). */
function serves(pid: number, cluster: string): boolean {
  const [program = '', ...rest] = commandLineOf(pid);
  if (basename(program) !== 'postgres') return false;
  const named = process.platform === 'linux' ? rest.includes(cluster) : rest.join(' ').includes(cluster);
  return named || workingFolderOf(pid) === cluster;
}

export class ServerExit extends Error {
  readonly logTail: string;

  constructor(why: string, logTail: string) {
    super(`PostgreSQL ${why}. The end of its log:\n${logTail}`);
    this.name = 'ServerExit';
    this.logTail = logTail;
  }
}

type Launched = { pid: number; ready: Promise<void>; exited: Promise<string> };

/** Starts the server; `ready` fails with a ServerExit if it goes away before it serves. */
export async function launch(options: {
  layout: Layout;
  binaries: Binaries;
  identity: Identity | null;
  settings: Record<string, string>;
  readyMs?: number | undefined;
}): Promise<Launched> {
  const { layout, binaries, identity } = options;
  const logStart = statSync(layout.log, { throwIfNoEntry: false })?.size ?? 0;
  const output = openSync(layout.log, 'a', 0o600);
  const child = spawn(join(binaries.binDir, 'postgres'), serverArguments(layout, options.settings), {
    cwd: '/',
    detached: true,
    env: cleanEnvironment(binaries),
    stdio: ['ignore', output, output],
    ...identity,
  });
  closeSync(output);
  let end: string | null = null;
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => {
      end = signal ? `was ended by ${signal}` : `exited with code ${code}`;
      resolve(end);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', cause => reject(explainPrivilege(cause)));
  });
  child.unref();
  const pid = child.pid as number;
  const ready = waitUntilServing(
    layout,
    pid,
    () => {
      if (end !== null) throw new ServerExit(end, tailOf(layout.log, logStart));
    },
    options.readyMs,
  );
  return { pid, ready, exited };
}

/** Resolves when the server takes connections to our database, which is created if it is not there yet. */
export async function waitUntilServing(
  layout: Layout,
  pid: number,
  check: () => void,
  readyMs = readyTimeoutMs,
): Promise<void> {
  const deadline = monotonicMs() + readyMs;
  for (;;) {
    check();
    const seen = livingPostmaster(layout.cluster);
    if (seen?.pid === pid && seen.status === 'ready' && (await databaseIsThere(seen.socketDir))) return;
    if (monotonicMs() > deadline)
      throw new Error(`PostgreSQL (process ${pid}) did not become ready, see ${layout.log}`);
    await pause(pollMs);
  }
}

/** Fast shutdown (sessions end, a checkpoint is written); immediate after 10 s; SIGKILL is never sent to a server. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, waitMs] of [['SIGINT', fastStopMs] as const, ['SIGQUIT', immediateStopMs] as const]) {
    try {
      process.kill(pid, signal);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw cause;
    }
    if (await gone(pid, waitMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

export async function gone(pid: number, waitMs: number): Promise<boolean> {
  const deadline = monotonicMs() + waitMs;
  while (isAlive(pid)) {
    if (monotonicMs() > deadline) return false;
    await pause(pollMs);
  }
  return true;
}

function serverArguments(layout: Layout, settings: Record<string, string>): string[] {
  const fixed = {
    config_file: layout.config,
    listen_addresses: '',
    port: String(port),
    // PostgreSQL reads a list: quotes keep a path with a comma in one piece.
    unix_socket_directories: `"${layout.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
  const pairs = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', layout.cluster, ...pairs];
}

async function databaseIsThere(socketDir: string): Promise<boolean> {
  const code = await ask(socketDir, owner, 'select 1');
  if (code !== '3D000') return code === null;
  return (await ask(socketDir, 'postgres', `create database ${owner}`)) === null;
}

/** Null on success, otherwise the error's code: early on the server answers 57P03, or nobody listens yet. */
async function ask(socketDir: string, database: string, sql: string): Promise<string | null> {
  try {
    const client = await openClient(connectionTo(socketDir, database), { name: 'peyk supervisor', onError: () => {} });
    await client.query(sql).finally(() => client.end());
    return null;
  } catch (cause) {
    return (cause as { code?: string }).code ?? 'unknown';
  }
}

function tailOf(file: string, from: number): string {
  return readFileSync(file).subarray(from).subarray(-logTailBytes).toString('utf8').trim();
}
