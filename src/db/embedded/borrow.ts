// The embedded database for one operator command: beside a running program it connects to the program's server,
// otherwise it becomes the owner for a moment and starts (or adopts) the server itself. A running server is not enough: it may belong to
// another command that is about to stop it.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { ConfigError } from '../../settings/config.ts';
import { monotonicMs } from '../../time/clock.ts';
import { DataHeld, lockData } from './data-lock.ts';
import { clusterMajor } from './initialise.ts';
import { type EmbeddedConnection, layoutOf } from './layout.ts';
import { runningEmbedded, startEmbedded } from './server.ts';

export type Borrowed = { connection: EmbeddedConnection; close(): Promise<void> };
type BorrowOptions = { dataDir: string; log: Log; waitMs: number; binDir?: string | undefined };

const pollMs = 50;

export async function borrowEmbedded(options: BorrowOptions): Promise<Borrowed> {
  const deadline = monotonicMs() + options.waitMs;
  for (;;) {
    const borrowed = (await ownForAMoment(options)) ?? (await beside(options.dataDir));
    if (borrowed) return borrowed;
    if (monotonicMs() >= deadline) {
      throw new Error(`A Peyk program holds ${options.dataDir}, but its database does not answer yet. Try again.`);
    }
    await pause(pollMs);
  }
}

async function beside(dataDir: string): Promise<Borrowed | null> {
  const connection = await runningEmbedded(dataDir);
  return connection && { connection, close: async () => {} };
}

/** A command creates no database: with a mistyped data folder it would silently work on an empty one. */
function refuseToMakeOne(dataDir: string, isThere: boolean): void {
  if (!isThere)
    throw new ConfigError(
      `There is no Peyk database in ${dataDir} (PEYK_DATA). Is the setting right? peyk start makes a new one.`,
    );
}

/** Null when a program owns the data directory. */
async function ownForAMoment(options: BorrowOptions): Promise<Borrowed | null> {
  refuseToMakeOne(options.dataDir, existsSync(options.dataDir));
  const lock = await lockData(options.dataDir, 'command', options.waitMs).catch(cause => {
    if (cause instanceof DataHeld && cause.holder === 'program') return null;
    throw cause;
  });
  if (!lock) return null;
  try {
    refuseToMakeOne(options.dataDir, clusterMajor(layoutOf(options.dataDir).cluster) !== null);
    const database = await startEmbedded({ dataDir: options.dataDir, log: options.log, binDir: options.binDir });
    const close = () => database.stop().finally(() => lock.release());
    return { connection: database.connection, close };
  } catch (cause) {
    lock.release();
    throw cause;
  }
}
