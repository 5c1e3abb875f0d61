// The supervisor of the embedded database: initialises it once, starts a server or adopts one that outlived its program, restarts it when it
// dies, stops it last. The caller holds the data directory (data-lock.ts) meanwhile.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { backoffMs } from '../../time/backoff.ts';
import { monotonicMs } from '../../time/clock.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { releaseReserve, reserveBytes, writeReserve } from './disk-reserve.ts';
import { databaseIdentity, type Identity, makeReachable } from './identity.ts';
import { clusterMajor, ensureOwner, initialiseCluster } from './initialise.ts';
import { connectionTo, type EmbeddedConnection, type Layout, layoutOf, prepareSocketDir } from './layout.ts';
import { isAlive } from './liveness.ts';
import { trimLog } from './log.ts';
import { gone, launch, livingPostmaster, ServerExit, stopPostmaster, waitUntilServing } from './postmaster.ts';
import { writeConfig } from './settings.ts';

export type EmbeddedDatabase = {
  connection: EmbeddedConnection;
  /** Changes when the server is restarted. */
  readonly pid: number;
  adopted: boolean;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Called once when the server is gone and is not restarted any more: only another start helps. */
  onExit?: (why: string) => void;
  /** How long restarts of a failing server are tried. */
  giveUpMs?: number;
  /** Called each time the server is restarted: every open session is lost. */
  onRestart?: (why: string) => void;
  /** Server settings that override ours, for tests. An adopted server keeps the settings it was started with. */
  settings?: Record<string, string>;
  /** PEYK_POSTGRES_BIN: a folder with initdb and postgres. */
  binDir?: string | undefined;
  reserveBytes?: number;
  /** How long it may take to serve; a recovery takes as long as its log is. */
  readyMs?: number;
};

// Long enough to free disk space by hand; then the program exits, so that its supervisor reports it.
const giveUpMs = 5 * 60_000;
/** A server that ran so long has recovered: the next failure counts from the beginning. */
const calmMs = 60_000;
const restartPauseMs = { base: 200, max: 5_000 };
const adoptedWatchMs = 250;
const stoppingWaitMs = 60_000;
// After kill -9 of the server its sessions need a moment to end; until then a new server refuses the shared memory.
const orphansWaitMs = 10_000;
const orphansPollMs = 20;
const logCheckMs = 10 * 60 * 1000;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new Error('The embedded database needs Unix sockets: use WSL, or an existing PostgreSQL (DATABASE_URL).');
  }
  mkdirSync(options.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const supervisor = new Supervisor(options, layoutOf(options.dataDir));
  await supervisor.open();
  return supervisor;
}

/** The connection to a server that runs on this data directory now, or null. Starts nothing. */
export async function runningEmbedded(dataDir: string): Promise<EmbeddedConnection | null> {
  const found = livingPostmaster(layoutOf(dataDir).cluster);
  return found?.status === 'ready' ? connectionTo(found.socketDir) : null;
}

class Supervisor implements EmbeddedDatabase {
  connection: EmbeddedConnection;
  adopted = false;
  pid = 0;
  private readonly options: EmbeddedOptions;
  private readonly layout: Layout;
  private readonly log: Log;
  private identity: Identity | null = null;
  private binaries: Binaries | null = null;
  private stopping = false;
  private recovery: Promise<void> = Promise.resolve();
  private reserve: Promise<void> = Promise.resolve();
  private ending: Promise<void> | null = null;
  private upSince = Number.NEGATIVE_INFINITY;
  private downSince: number | null = null;
  private failures = 0;
  private timers: NodeJS.Timeout[] = [];
  private wakeUp: () => void = () => {};

  constructor(options: EmbeddedOptions, layout: Layout) {
    this.options = options;
    this.layout = layout;
    this.log = options.log;
    this.connection = connectionTo(layout.socketDir);
  }

  async open(): Promise<void> {
    this.identity = databaseIdentity(this.layout.cluster);
    if (!(await this.adopt())) await this.start();
    this.reserve = writeReserve(
      this.layout.diskReserve,
      this.options.reserveBytes ?? reserveBytes,
      () => this.stopping,
    ).catch(cause => this.log.warn({ cause: String(cause) }, 'embedded: no reserve file could be written'));
    this.every(logCheckMs, () => void trimLog(this.layout.log));
  }

  /** A second call waits for the first: by then the process id may belong to another process. */
  stop(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    this.wakeUp();
    await this.recovery;
    await this.reserve;
    if (this.pid) await stopPostmaster(this.pid);
    if (this.layout.socketInTemporary) rmSync(this.layout.socketDir, { recursive: true, force: true });
  }

  private async adopt(): Promise<boolean> {
    const found = livingPostmaster(this.layout.cluster);
    if (!found) return false;
    if (found.status === 'stopping') {
      if (await gone(found.pid, stoppingWaitMs)) return false;
      throw new Error(
        `A PostgreSQL server (process ${found.pid}) on ${this.layout.cluster} is stopping and does not end`,
      );
    }
    let vanished = false;
    await waitUntilServing(this.layout, found.pid, () => {
      vanished ||= !isAlive(found.pid);
      if (vanished) throw new ServerExit('ended while we waited for it', '');
    }).catch(cause => {
      if (!vanished) throw cause;
    });
    if (vanished) return false;
    this.adopted = true;
    this.pid = found.pid;
    // The adopted server may use another temporary folder; restarts must use the same, because clients connect there.
    this.layout.socketDir = livingPostmaster(this.layout.cluster)?.socketDir ?? found.socketDir;
    this.connection = connectionTo(this.layout.socketDir);
    this.log.info({ pid: this.pid }, 'embedded: adopted the running database server');
    const timer = this.every(adoptedWatchMs, () => {
      if (isAlive(found.pid)) return;
      clearInterval(timer);
      this.recover('the adopted server is gone');
    });
    return true;
  }

  /** All steps of a first start; a later start finds them done. */
  private async start(): Promise<void> {
    const { layout, identity, log } = this;
    if (identity) makeReachable(layout.dataDir, identity, log);
    if (identity && layout.socketInTemporary) makeReachable(dirname(layout.socketDir), identity, log);
    const dataMajor = clusterMajor(layout.cluster);
    const { binDir } = this.options;
    this.binaries = await findBinaries({ binDir, dataMajor, dataDir: layout.dataDir, identity, log });
    if (dataMajor === null) {
      const durable = this.options.settings?.['fsync'] !== 'off';
      await initialiseCluster({ cluster: layout.cluster, binaries: this.binaries, identity, durable, log });
    }
    if (identity) ensureOwner(layout.cluster, identity);
    prepareSocketDir(layout, identity);
    writeConfig(layout);
    await trimLog(layout.log);
    await this.launchPatiently(this.binaries);
  }

  /** Launches the server, and retries after two failures that pass: orphaned sessions and a full disk. */
  private async launchPatiently(binaries: Binaries): Promise<void> {
    const deadline = monotonicMs() + orphansWaitMs;
    for (;;) {
      try {
        return await this.launchOnce(binaries);
      } catch (cause) {
        if (!(cause instanceof ServerExit) || this.stopping) throw cause;
        const orphans = /shared memory block .* is still in use|lock file ".*" already exists/.test(cause.logTail);
        if (orphans && monotonicMs() < deadline) await pause(orphansPollMs);
        else if (!this.makeRoom(cause)) throw cause;
      }
    }
  }

  private async launchOnce(binaries: Binaries): Promise<void> {
    const { layout, identity } = this;
    const server = await launch({
      layout,
      binaries,
      identity,
      settings: this.options.settings ?? {},
      readyMs: this.options.readyMs,
    });
    await server.ready;
    this.pid = server.pid;
    this.upSince = monotonicMs();
    this.log.info({ pid: server.pid }, 'embedded: database server started');
    void server.exited.then(why => this.recover(why));
  }

  private makeRoom(cause: ServerExit): boolean {
    if (!/No space left on device/.test(cause.logTail) || !releaseReserve(this.layout.diskReserve)) return false;
    this.log.error(
      { dataDir: this.layout.dataDir },
      'embedded: THE DISK IS FULL; released the reserve file so that the database can start. Make room now: it works once',
    );
    return true;
  }

  private recover(why: string): void {
    if (this.stopping) return;
    this.pid = 0;
    this.adopted = false;
    this.log.error({ why }, 'embedded: the database server went away, starting it again');
    this.options.onRestart?.(why);
    this.recovery = this.restart(why).catch(cause => {
      const text = `the database server does not stay up: ${cause instanceof Error ? cause.message : cause}`;
      this.log.error({ why: text }, 'embedded: gave up on the database server');
      this.options.onExit?.(text);
    });
  }

  /** Restarts the server with growing pauses, for as long as an operator may need to remove the cause. */
  private async restart(why: string): Promise<void> {
    const time = monotonicMs();
    if (this.downSince === null || time - this.upSince > calmMs) {
      this.downSince = time;
      this.failures = 0;
    }
    const { downSince } = this;
    const patienceMs = this.options.giveUpMs ?? giveUpMs;
    for (let last: unknown = new Error(why); !this.stopping; ) {
      if (monotonicMs() - downSince > patienceMs) throw last;
      // The first restart is immediate: most failures are single, and every request gets a 503 meanwhile.
      if (this.failures > 0) await this.rest(backoffMs(this.failures - 1, restartPauseMs.base, restartPauseMs.max));
      this.failures++;
      if (this.stopping) return;
      try {
        return await this.start();
      } catch (cause) {
        last = cause;
        this.log.error({ cause: String(cause) }, 'embedded: the database server did not start, trying again');
      }
    }
  }

  /** Pauses; ends early when the program stops. */
  private rest(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private every(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setInterval(work, ms);
    timer.unref();
    this.timers.push(timer);
    return timer;
  }
}
