// One PostgreSQL for a whole test run, started by the first test file that asks for a database (testDatabase): runs of
// pure tests do not pay the second it costs. Test files ask over a small socket, because Vitest runs them in other
// processes. Nothing survives the run: not after a failure, not after Ctrl-C or SIGTERM.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { silentLog } from '../../src/log.ts';
import { removeAtOnce } from './remove-at-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseDoor: string;
  }
}

// Only here: what a test run stores may vanish with the power.
const testSettings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB' };
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-test-'));
  // The workers inherit it, so every temporary file of every test lies in here and goes with it.
  process.env['TMPDIR'] = folder;
  const door = join(folder, 'door');
  let database: Promise<EmbeddedDatabase> | null = null;
  const opened = await openDoor(door, () => {
    database ??= startTemplate(join(folder, 'data'));
    return database;
  });
  project.provide('databaseDoor', door);
  const forget = removeWhenKilled(folder);
  return async () => {
    opened.close();
    await database?.then(
      running => running.stop(),
      () => {},
    );
    forget();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startTemplate(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: silentLog, settings: testSettings, ballastBytes: 0 });
  await migrate(database.connection, silentLog);
  return database;
}

/** Whoever connects gets one line: the connection of the template database, or why there is none. */
async function openDoor(path: string, database: () => Promise<EmbeddedDatabase>): Promise<Server> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    database().then(
      running => socket.end(JSON.stringify({ connection: running.connection })),
      cause => socket.end(JSON.stringify({ error: String(cause) })),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return server;
}

function removeWhenKilled(folder: string): () => void {
  const clean = (): void => removeAtOnce(folder);
  const handlers = Object.entries(exitCodes).map(([signal, code]) => [signal, () => process.exit(code)] as const);
  for (const [signal, handler] of handlers) process.once(signal, handler);
  process.once('exit', clean);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
    process.off('exit', clean);
  };
}
