// The whole program as a value with a start and a stop: database, migrations, first account, simulators, processes.
// What starts last stops first; the database stops last of all.
import { createServer } from 'node:net';
import { type Credentials, newCredentials } from './accounts/credentials.ts';
import { createDemoOwner } from './accounts/demo-owner.ts';
import { openFirstAccount } from './accounts/open.ts';
import { ensureFirstStaff } from './accounts/staff.ts';
import type { Config, Role } from './config.ts';
import { readDatabaseClock } from './db/database-clock.ts';
import { type Connection, type Db, openPool } from './db/db.ts';
import { startEmbedded } from './db/embedded.ts';
import { lockData } from './db/embedded-data-lock.ts';
import { migrate } from './db/migrate.ts';
import { carrierExists, pauseCarrier, putCarrier } from './dispatch/carriers.ts';
import type { Log } from './log.ts';
import { startFleet } from './processes/fleet.ts';
import type { ChildRole } from './processes/messages.ts';
import { startSimulator } from './processes/simulators.ts';
import { loadSecretKey } from './secrets.ts';

export type ReadyLine = {
  api: string;
  panel: string;
  smsc?: string;
  smscHttp?: string;
  registry?: string;
  /** The secret only where the hash is one of ours and not given by a setting. */
  demo?: { key: string; hash: string; secret?: string };
  /** Only on the first start: who owns the demo account in the panel. */
  owner?: { email: string; password: string };
  /** Only on the first start over our own data: the first user of the operator's staff. */
  staff?: { email: string; password: string };
  pid: number;
};

export type Program = { ready: ReadyLine; firstStart: boolean; stop(): Promise<void> };

const lockWaitMs = 15_000;

export async function startProgram(config: Config, log: Log): Promise<Program> {
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    // One step that fails must not leave the database running behind it.
    for (const step of undo.splice(0).reverse())
      try {
        await step();
      } catch (error) {
        log.error({ error: (error as Error).message }, 'a step of the stop failed');
      }
  };
  try {
    const connection = await openDatabase(config, log, undo);
    await migrate(connection, log);
    const db = openPool(connection, { max: 2, name: 'peyk first process', onError: () => {} });
    undo.push(() => db.end());
    await readDatabaseClock(db);
    await warnIfNotDurable(db, log);
    const { opened, ...demo } = await openDemoAccount(db, config);
    const staff = config.DATABASE_URL ? null : await ensureFirstStaff(db);
    const port = config.PEYK_PORT || (await freePort(config.PEYK_HOST));
    process.env.PEYK_PORT = String(port);
    const simulators = await startSimulators(config, db, log, undo);
    const fleet = await startFleet(processesFor(config), connection, config.DATABASE_URL === '', log);
    undo.push(() => fleet.stop());
    const host = config.PEYK_HOST.includes(':') ? `[${config.PEYK_HOST}]` : config.PEYK_HOST;
    const api = `http://${host}:${port}`;
    const ready: ReadyLine = {
      api,
      panel: `${api}/panel/`,
      ...simulators,
      ...demo,
      ...(staff ? { staff } : {}),
      pid: process.pid,
    };
    return { ready, firstStart: opened, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDatabase(config: Config, log: Log, undo: (() => Promise<void> | void)[]): Promise<Connection> {
  if (config.DATABASE_URL) return { connectionString: config.DATABASE_URL };
  const lock = await lockData(config.PEYK_DATA, 'program', lockWaitMs);
  undo.push(() => lock.release());
  const database = await startEmbedded({
    dataDir: config.PEYK_DATA,
    log,
    binDir: config.PEYK_POSTGRES_BIN || undefined,
    onExit: why => log.error({ why }, 'the embedded database is gone for good'),
  });
  undo.push(() => database.stop());
  return database.connection;
}

/** Durability is the promise behind every 200; a server configured to forget must not go unnoticed. */
async function warnIfNotDurable(db: Db, log: Log): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const value = (await db.query(`show ${setting}`)).rows[0][setting];
    if (value === 'off')
      log.error(
        { setting },
        `DANGER: ${setting} is off in PostgreSQL: accepted orders and credit can be lost in a crash`,
      );
  }
}

type Demo = { demo?: Credentials; owner?: { email: string; password: string }; opened: boolean };

async function openDemoAccount(db: Db, config: Config): Promise<Demo> {
  const random = newCredentials();
  const isGiven = config.PEYK_DEMO_KEY !== '' || config.PEYK_DEMO_HASH !== '';
  const given: Credentials = isGiven
    ? { key: config.PEYK_DEMO_KEY || random.key, hash: config.PEYK_DEMO_HASH || random.hash }
    : random;
  const opened = await openFirstAccount(db, 'Demo', given);
  if (opened) return { demo: given, owner: await createDemoOwner(db, opened.id), opened: true };
  // On later starts the hash is no longer known, unless it was given.
  return config.PEYK_DEMO_KEY && config.PEYK_DEMO_HASH ? { demo: given, opened: false } : { opened: false };
}

type SimulatorAddresses = Pick<ReadyLine, 'smsc' | 'smscHttp' | 'registry'>;

async function startSimulators(
  config: Config,
  db: Db,
  log: Log,
  undo: (() => Promise<void> | void)[],
): Promise<SimulatorAddresses> {
  const wanted = config.PEYK_SIMULATORS;
  const [smsc, registry] = await Promise.all([
    wanted.includes('smsc') ? startSmsc(config, log) : null,
    wanted.includes('registry') ? startRegistry(config, log) : null,
  ]);
  if (smsc) undo.push(() => smsc.stop());
  if (registry) undo.push(() => registry.stop());
  await offerSimulatorAsCarrier(config, db, smsc?.ready.smpp);
  if (registry && !config.PEYK_REGISTRY_URL) process.env.PEYK_REGISTRY_URL = registry.ready.url;
  return {
    ...(smsc ? { smsc: smsc.ready.smpp, smscHttp: smsc.ready.http } : {}),
    ...(registry ? { registry: registry.ready.url } : {}),
  };
}

function startSmsc(config: Config, log: Log) {
  const args = (port: string | number, httpPort: string | number) => [
    '--port',
    String(port),
    '--http-port',
    String(httpPort),
  ];
  return startSimulator<{ smpp: string; http: string }>(
    'smsc',
    args(config.PEYK_SMSC_PORT, config.PEYK_SMSC_HTTP_PORT),
    ready => args(ready.smpp.split(':').at(-1)!, new URL(ready.http).port),
    log,
  );
}

function startRegistry(config: Config, log: Log) {
  // Results after two seconds instead of five minutes, so that a person sees them come.
  const args = (port: string | number) => ['--port', String(port), '--result-delay-ms', '2000'];
  return startSimulator<{ url: string }>(
    'registry',
    args(config.PEYK_REGISTRY_PORT),
    ready => args(new URL(ready.url).port),
    log,
  );
}

/** The bundled simulator is the carrier `simulator`; without it, over our own data, that carrier is put to rest. */
async function offerSimulatorAsCarrier(config: Config, db: Db, address: string | undefined): Promise<void> {
  const name = 'simulator';
  if (address) {
    const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
    const place = { host: '127.0.0.1', port: address.split(':').at(-1)! };
    const known = await carrierExists(db, name);
    await putCarrier(
      db,
      key,
      name,
      known ? place : { ...place, 'system-id': 'peyk', password: 'peyk', priority: '100' },
    );
    if (known) await pauseCarrier(db, name, false);
  } else if (!config.DATABASE_URL && (await carrierExists(db, name)))
    await pauseCarrier(db, name, true, 'the simulator is not running');
}

function processesFor(config: Config): ChildRole[] {
  const has = (role: Role) => config.PEYK_ROLES.includes(role);
  const processes: ChildRole[] = has('api') ? Array(config.PEYK_WORKERS).fill('api') : [];
  if (has('dispatch')) processes.push('dispatch');
  if (has('webhooks') || has('consent')) processes.push('background');
  return processes;
}

/** A port that was free a moment ago: all API workers must agree on one number. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
