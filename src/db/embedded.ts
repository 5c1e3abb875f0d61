// The embedded database's supervisor: initialise once, adopt a server that outlived its program or start one, bring it
// back when it dies, stop it last. The caller holds the data directory (embedded-data-lock.ts) while it uses this.
import { mkdirSync, rmSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';
import { monotonicMs } from '../clock.ts';
import type { Log } from '../log.ts';
import { ballastBytes, layBallast, releaseBallast } from './embedded-ballast.ts';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { databaseIdentity, type Identity, openTheWay } from './embedded-identity.ts';
import { clusterMajor, ensureOwner, initialiseCluster } from './embedded-initialise.ts';
import { connectionTo, type EmbeddedConnection, type Layout, layoutOf, prepareSocketDir } from './embedded-layout.ts';
import { isAlive } from './embedded-liveness.ts';
import { gone, launch, livingPostmaster, ServerExit, stopPostmaster, waitUntilServing } from './embedded-postmaster.ts';
import { writeConfig } from './embedded-settings.ts';

export type EmbeddedDatabase = {
  connection: EmbeddedConnection;
  /** Changes when the server had to be started again. */
  readonly pid: number;
  adopted: boolean;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Called once, when the server is gone and will not be brought back. */
  onExit?: (why: string) => void;
  /** Called each time the server went away and is being started again: every open session is dead. */
  onRestart?: (why: string) => void;
  /** Server settings that win over ours; tests use it. An adopted server keeps what it was started with. */
  settings?: Record<string, string>;
  /** PEYK_POSTGRES_BIN: a folder with initdb and postgres. */
  binDir?: string | undefined;
  ballastBytes?: number;
};

const failuresMax = 5;
const failureWindowMs = 60_000;
const restartPauseMs = { base: 200, max: 5_000 };
const adoptedWatchMs = 250;
const stoppingWaitMs = 60_000;
// After kill -9 of the server its sessions need a moment to notice; until then a new one refuses the shared memory.
const orphansWaitMs = 10_000;
const orphansPollMs = 20;
const logBytesMax = 10 * 1024 * 1024;
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
  private ballast: Promise<void> = Promise.resolve();
  private ending: Promise<void> | null = null;
  private failures: number[] = [];
  private timers: NodeJS.Timeout[] = [];

  constructor(options: EmbeddedOptions, layout: Layout) {
    this.options = options;
    this.layout = layout;
    this.log = options.log;
    this.connection = connectionTo(layout.socketDir);
  }

  async open(): Promise<void> {
    this.identity = databaseIdentity(this.layout.cluster);
    if (!(await this.adopt())) await this.start();
    this.ballast = layBallast(
      this.layout.ballast,
      this.options.ballastBytes ?? ballastBytes,
      () => this.stopping,
    ).catch(cause => this.log.warn({ cause: String(cause) }, 'embedded: no ballast file could be written'));
    this.every(logCheckMs, () => void this.trimLog());
  }

  /** A second call waits for the first: the process id may belong to somebody else by then. */
  stop(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.recovery;
    await this.ballast;
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
    // It may have been started with another temporary folder; whoever connects now must find its successor there too.
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

  /** Everything that a start from nothing needs; a later start finds the steps already done. */
  private async start(): Promise<void> {
    const { layout, identity, log } = this;
    if (identity) openTheWay(layout.dataDir, identity, log);
    if (identity && layout.socketInTemporary) openTheWay(dirname(layout.socketDir), identity, log);
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
    await this.trimLog();
    await this.launchPatiently(this.binaries);
  }

  /** Launches, and deals with the two refusals that a second try cures: orphaned sessions and a full disk. */
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
    const server = await launch({ layout, binaries, identity, settings: this.options.settings ?? {} });
    await server.ready;
    this.pid = server.pid;
    this.log.info({ pid: server.pid }, 'embedded: database server started');
    void server.exited.then(why => this.recover(why));
  }

  private makeRoom(cause: ServerExit): boolean {
    if (!/No space left on device/.test(cause.logTail) || !releaseBallast(this.layout.ballast)) return false;
    this.log.error(
      { dataDir: this.layout.dataDir },
      'embedded: THE DISK IS FULL; released the ballast file so that the database can start. Make room now: it works once',
    );
    return true;
  }

  private recover(why: string): void {
    if (this.stopping) return;
    this.pid = 0;
    this.adopted = false;
    this.log.error({ why }, 'embedded: the database server went away, starting it again');
    this.options.onRestart?.(why);
    this.recovery = this.bringBack(why).catch(cause => {
      const text = `the database server does not stay up: ${cause instanceof Error ? cause.message : cause}`;
      this.log.error({ why: text }, 'embedded: gave up on the database server');
      this.options.onExit?.(text);
    });
  }

  private async bringBack(why: string): Promise<void> {
    for (let last: unknown = new Error(why); !this.stopping; ) {
      const now = monotonicMs();
      this.failures = [...this.failures.filter(time => now - time < failureWindowMs), now];
      const count = this.failures.length;
      if (count >= failuresMax) throw last;
      // The first time at once: most deaths are single accidents, and every waiting request gets a 503 meanwhile.
      if (count > 1) await pause(backoffMs(count - 2, restartPauseMs.base, restartPauseMs.max));
      if (this.stopping) return;
      try {
        return await this.start();
      } catch (cause) {
        last = cause;
        this.log.error({ cause: String(cause) }, 'embedded: the database server did not start');
      }
    }
  }

  /** The server writes in append mode, so cutting the file under it is safe. One old copy is kept. */
  private async trimLog(): Promise<void> {
    const { log } = this.layout;
    const size = await stat(log).then(
      found => found.size,
      () => 0,
    );
    if (size <= logBytesMax) return;
    await copyFile(log, `${log}.1`);
    await truncate(log);
  }

  private every(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setInterval(work, ms);
    timer.unref();
    this.timers.push(timer);
    return timer;
  }
}
