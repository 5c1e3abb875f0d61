// Prepares, when the first test file asks: one PostgreSQL (testDatabase), another for accounts that move, and a data folder
// with an empty database (preparedData). Runs of pure tests do not pay for them. Test files ask over small sockets, because
// Vitest runs them in other processes. Nothing survives the run, even after a failure, Ctrl-C or SIGTERM.
import { appendFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { layoutOf } from '../../../src/db/embedded/layout.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../../src/db/embedded/server.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { silentLog } from '../../../src/log.ts';
import { removeAtOnce } from './remove-at-once.ts';
import { makeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseSocket: string;
    dataSocket: string;
  }
}

// In files of the folder, so that a killed server leaves nothing outside it.
const ownMemory = { dynamic_shared_memory_type: 'mmap' };
// Only here, because test data may be lost with the power.
const testSettings = {
  // Five files at a time, some with two programs and several databases.
  max_connections: '400',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  ...ownMemory,
};
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeRunFolder();
  // The workers inherit it, so every temporary file of every test is inside and is removed with it.
  process.env['TMPDIR'] = folder;
  // Tests contact no outside host, and Node would read this file of hundreds of certificates at the start of each of 500
  // processes: 0.1 s of CPU each, a tenth of the journeys.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  const servers = new Map<string, Promise<EmbeddedDatabase>>();
  const serverSocket = (name: string, settings: Record<string, string>) =>
    openSocket(join(folder, `${name}-socket`), async () => {
      if (!servers.has(name)) servers.set(name, startTemplate(join(folder, name), settings));
      return { connection: (await servers.get(name)!).connection };
    });
  const databaseSocket = await serverSocket('data', testSettings);
  let data: Promise<string> | null = null;
  const dataSocket = await openSocket(join(folder, 'prepared-socket'), async () => {
    data ??= prepareData(join(folder, 'prepared'));
    return { folder: await data };
  });
  project.provide('databaseSocket', databaseSocket.path);
  project.provide('dataSocket', dataSocket.path);
  const forget = removeWhenKilled(folder);
  return async () => {
    for (const socket of [databaseSocket, dataSocket]) socket.server.close();
    await data?.catch(() => {});
    for (const one of await Promise.allSettled(servers.values()))
      if (one.status === 'fulfilled') await one.value.stop();
    forget();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startTemplate(dataDir: string, settings: Record<string, string>): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: silentLog, settings, reserveBytes: 0 });
  await migrate(database.connection, silentLog);
  return database;
}

/** A data folder as a first start leaves it before it creates its first account: that takes two of its four seconds. */
async function prepareData(dataDir: string): Promise<string> {
  await (await startTemplate(dataDir, testSettings)).stop();
  const lines = Object.entries(ownMemory).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(layoutOf(dataDir).cluster, 'postgresql.auto.conf'), lines.join(''));
  return dataDir;
}

/** A client gets one line: the resource, or why there is none. */
async function openSocket(path: string, answer: () => Promise<object>): Promise<{ path: string; server: Server }> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    answer().then(
      made => socket.end(JSON.stringify(made)),
      cause => socket.end(JSON.stringify({ error: String(cause) })),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return { path, server };
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
