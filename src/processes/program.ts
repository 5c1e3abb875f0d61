// The whole program with a start and a stop: database, migrations, first account, simulators, processes. They stop in reverse
// order, the database last.
import { type Credentials, newCredentials } from '../accounts/credentials.ts';
import { home } from '../cells/directory.ts';
import { onceThere } from '../db/away.ts';
import { recogniseHome } from '../db/data-home.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import { type Connection, type Db, openPool, poolUses, row, sql, type Tx } from '../db/db.ts';
import { forgetfulSettings } from '../db/durability.ts';
import { lockData } from '../db/embedded/data-lock.ts';
import { clusterMajor } from '../db/embedded/initialise.ts';
import { layoutOf } from '../db/embedded/layout.ts';
import { startEmbedded } from '../db/embedded/server.ts';
import { migrate, type OnMigrated } from '../db/migrate.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { startExample } from '../example/background.ts';
import { requestExample } from '../example/example-account.ts';
import type { Log } from '../log.ts';
import { measureDisk, measureProcess } from '../metrics/metrics.ts';
import { databaseMetricsOf } from '../metrics/stored/database-metrics.ts';
import { ensureFirstPeople, type FirstPeopleOptions, firstPeoplePrinted } from '../people/first-people.ts';
import { readHold } from '../queue/dispatch-hold.ts';
import { useContentKeys } from '../sealing/content.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { Config, Role } from '../settings/config.ts';
import { addSmppUser, type SmppLogin } from '../smpp-server/users.ts';
import { now } from '../time/clock.ts';
import { startBundledSimulators } from './bundled-simulators.ts';
import { requireHome, rolesOfCell, type ServedCells, serveCells, servesCell } from './cells-served.ts';
import { poolSizes } from './connections.ts';
import { type Fleet, startFleet } from './fleet.ts';
import type { ChildRole } from './messages.ts';
import { claimPort } from './ports.ts';

export type ReadyLine = {
  api: string;
  panel: string;
  /** The same over TLS, if a certificate is set. */
  tls?: string;
  smsc?: string;
  smscHttp?: string;
  registry?: string;
  /** Where customers bind, without and with TLS. */
  smpp?: string;
  smppTls?: string;
  /** The listener with only health and metrics. */
  watch?: string;
  /** The secret is present only if the hash was generated and not given by a setting. */
  demo?: { key: string; hash: string; secret?: string };
  /** Set only on the first successful start: the demo account's owner in the panel. */
  owner?: { email: string; password: string };
  /** Set only then, too: the demo account's SMPP user, which binds from this machine. */
  smppUser?: SmppLogin;
  /** Set only on the first successful start over embedded data: the first user of the operator's staff. */
  staff?: { email: string; password: string };
  pid: number;
};

/** What an operator must still set up before the program is useful; number of accounts and age of the first one. */
type Stored = { lacksCarrier: boolean; lacksStaff: boolean; accounts: number; since: Date | null };

/** Progress of a start, for a person who waits for it. */
export type StartSteps = { database(isNew: boolean): void; tables: OnMigrated; processes(): void };

export type Program = {
  ready: ReadyLine;
  /** The demo account is new, or no start has announced it yet. */
  firstStart: boolean;
  stored: Stored;
  /** Call this after the ready line is printed: until then the next start prints first passwords and keys again. */
  announced(): Promise<unknown>;
  /** Call this afterwards: starts the work that can wait until people use the program. */
  afterReady(): void;
  /** Resolves with the reason when the program cannot recover by itself. */
  failed: Promise<string>;
  stop(): Promise<void>;
};

const lockWaitMs = 15_000;
const ownAddresses = ['127.0.0.1', '::1'];

type StartOptions = { steps?: StartSteps | undefined; stopping: AbortSignal };

/** `given`: settings that were set explicitly, not defaults. `stopping`: aborted when the start is no longer wanted. */
export async function startProgram(
  config: Config,
  given: ReadonlySet<string>,
  log: Log,
  { steps, stopping }: StartOptions,
): Promise<Program> {
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    // A failed step must not leave the database running.
    for (const step of undo.splice(0).reverse())
      try {
        await step();
      } catch (error) {
        log.error({ error: (error as Error).message }, 'a step of the shutdown failed');
      }
  };
  try {
    let fail: (why: string) => void = () => {};
    const failed = new Promise<string>(resolve => {
      fail = resolve;
    });
    const [port, tlsPort] = await Promise.all([apiPort(config), securePort(config)]);
    const smpp = await smppPorts(config, given.has('PEYK_SMPP_PORT'));
    steps?.database(!config.DATABASE_URL && clusterMajor(layoutOf(config.PEYK_DATA).cluster) === null);
    const connection = await openDatabase(config, steps ? withoutInfo(log) : log, undo, fail);
    await migrate(connection, log, steps?.tables ? { onMigrated: steps.tables } : {});
    steps?.processes();
    const db = openPool(connection, { max: poolSizes.first, name: 'peyk first process', onError: () => {} });
    undo.push(() => db.end());
    const { key, people } = await onceThere(log, () => openHome(db, config, smpp, log), stopping);
    process.env.PEYK_PORT = String(port);
    process.env.PEYK_TLS_PORT = String(tlsPort ?? config.PEYK_TLS_PORT);
    process.env.PEYK_SMPP_PORT = String(smpp.plain ?? 'off');
    process.env.PEYK_SMPP_TLS_PORT = String(smpp.tls ?? 'off');
    const simulators = await startBundledSimulators(
      { config, named: given.has('PEYK_SIMULATORS'), db, key, log, stopping },
      undo,
    );
    if (simulators.registry && !config.PEYK_REGISTRY_URL) process.env.PEYK_REGISTRY_URL = simulators.registry;
    if (simulators.registry && !config.PEYK_IDENTITY_URL) process.env.PEYK_IDENTITY_URL = simulators.registry;
    measureProcess('first', poolUses);
    // The database of a DATABASE_URL is on a disk that its own server measures.
    if (!config.DATABASE_URL) measureDisk(config.PEYK_DATA);
    const processes = processesFor(config, smpp).map(role => ({ role, connection, cell: home }));
    let cells: ServedCells | undefined;
    const places = () => cells?.places() ?? [[home, db] as [number, Db]];
    const metrics = databaseMetricsOf(places);
    cells = await serveCells({ db, key, config, log, stopping });
    const fleet = await startFleet(processes, connection, config.DATABASE_URL === '', log, metrics, stopping);
    undo.push(() => fleet.stop());
    undo.push(() => cells?.stop());
    cells.work(fleet);
    void failed.then(() => fleet.fail('database'));
    const watch = await openWatch(config, () => cells?.served() ?? [[home, db]], fleet, undo);
    const api = `http://${place(config.PEYK_HOST, port)}`;
    const ready: ReadyLine = {
      api,
      panel: `${api}/panel/`,
      ...(tlsPort === null ? {} : { tls: `https://${place(config.PEYK_TLS_HOST, tlsPort)}` }),
      ...simulators,
      ...(smpp.plain === null ? {} : { smpp: place(config.PEYK_SMPP_HOST, smpp.plain) }),
      ...(watch === null ? {} : { watch }),
      ...(smpp.tls === null ? {} : { smppTls: place(config.PEYK_SMPP_HOST, smpp.tls) }),
      ...demoGiven(config),
      ...people,
      pid: process.pid,
    };
    const stored = (await onceThere(log, () => row(db, storedSql), stopping))!;
    const afterReady = () => {
      if (!config.PEYK_DEMO_TRAFFIC) return;
      const example = startExample(db, log);
      undo.push(() => example.stop());
    };
    const firstStart = people.demo !== undefined;
    const announced = () => onceThere(log, () => firstPeoplePrinted(db), stopping);
    return { ready, firstStart, stored, announced, afterReady, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Checks the data: their kind, their accounts, and the key of their secrets. May be repeated. */
async function openHome(db: Db, config: Config, smpp: SmppPorts, log: Log) {
  await requireHome(db);
  await readDatabaseClock(db);
  await warnIfNotDurable(db, log);
  await warnIfHeld(db, config, log);
  const key = await secretKeyOfData(db, config);
  useContentKeys(key, config.PEYK_CONTENT);
  const people = await ensureFirstPeople(db, key, firstPeopleWanted(config, smpp, key));
  if (config.PEYK_DEMO_TRAFFIC && people.owner) await requestExample(db, people.owner.email, now());
  return { key, people };
}

async function openDatabase(
  config: Config,
  log: Log,
  undo: (() => Promise<void> | void)[],
  fail: (why: string) => void,
): Promise<Connection> {
  if (config.DATABASE_URL) return { connectionString: config.DATABASE_URL };
  const lock = await lockData(config.PEYK_DATA, 'program', lockWaitMs);
  undo.push(() => lock.release());
  const database = await startEmbedded({
    dataDir: config.PEYK_DATA,
    log,
    binDir: config.PEYK_POSTGRES_BIN || undefined,
    giveUpMs: config.PEYK_DATABASE_GIVE_UP_SECONDS * 1000,
    onExit: fail,
  });
  undo.push(() => database.stop());
  return database.connection;
}

/** Restored or copied data send nothing until the operator allows it. */
async function warnIfHeld(db: Db, config: Config, log: Log): Promise<void> {
  await recogniseHome(db, config.DATABASE_URL ? null : config.PEYK_DATA);
  const hold = await readHold(db);
  if (hold) log.error(hold, 'SENDING IS HELD: see "peyk dispatch status"; "peyk dispatch release" lets it go on');
}

/** Every 200 promises durability, so a server configured to lose commits is reported. */
async function warnIfNotDurable(db: Db, log: Log): Promise<void> {
  for (const setting of await forgetfulSettings(db))
    log.error(
      { setting },
      `DANGER: ${setting} is off in PostgreSQL: accepted orders and credit can be lost in a crash`,
    );
}

/** Embedded data get a welcome for newcomers; an external database gets only the demo account that was asked for. */
function firstPeopleWanted(config: Config, smpp: SmppPorts, secretKey: SecretKey): FirstPeopleOptions {
  const { DATABASE_URL, PEYK_DEMO_KEY: key, PEYK_DEMO_HASH: hash } = config;
  const random = newCredentials();
  const demo: Credentials = key || hash ? { key: key || random.key, hash: hash || random.hash } : random;
  const smppUser = (tx: Tx, accountId: number) => addSmppUser(tx, secretKey, accountId, { addresses: ownAddresses });
  return {
    demo: DATABASE_URL && !(key && hash) ? null : demo,
    ...(DATABASE_URL || smpp.plain === null ? {} : { smppUser }),
    staff: !DATABASE_URL,
  };
}

/** On later starts the hash is unknown, unless a setting gave it. */
function demoGiven({ PEYK_DEMO_KEY: key, PEYK_DEMO_HASH: hash }: Config): Pick<ReadyLine, 'demo'> {
  return key && hash ? { demo: { key, hash } } : {};
}

const storedSql = sql<Stored>('start stored')`
  select not exists (select 1 from carriers) as "lacksCarrier", not exists (select 1 from users where staff) as "lacksStaff",
    count(*)::int as accounts, min(created_at) as since from accounts`;

/** Its steps are reported separately. */
function withoutInfo(log: Log): Log {
  return {
    info: (fields, event) => log.debug(fields, event),
    warn: (fields, event) => log.warn(fields, event),
    error: (fields, event) => log.error(fields, event),
    debug: (fields, event) => log.debug(fields, event),
  };
}

function processesFor(config: Config, smpp: SmppPorts): ChildRole[] {
  const has = (role: Role) => config.PEYK_ROLES.includes(role);
  const processes: ChildRole[] = has('api') ? Array(config.PEYK_WORKERS).fill('api') : [];
  if (servesCell(config, home)) processes.push(...rolesOfCell(config));
  if (smpp.plain !== null || smpp.tls !== null) processes.push('smpp');
  return processes;
}

/** A node without the API does not open one. */
function apiPort({ PEYK_ROLES, PEYK_HOST, PEYK_PORT }: Config): Promise<number> | number {
  return PEYK_ROLES.includes('api') ? claimPort('PEYK_PORT', PEYK_HOST, PEYK_PORT) : PEYK_PORT;
}

/** null: no TLS listener. */
async function securePort({ PEYK_ROLES, PEYK_TLS_CERT, PEYK_TLS_HOST, PEYK_TLS_PORT }: Config): Promise<number | null> {
  if (!PEYK_TLS_CERT || !PEYK_ROLES.includes('api')) return null;
  return claimPort('PEYK_TLS_PORT', PEYK_TLS_HOST, PEYK_TLS_PORT);
}

/** Where it is; null if none is wanted. */
async function openWatch(
  config: Config,
  places: () => [number, Db | null][],
  { state, metrics }: Fleet,
  undo: (() => Promise<void> | void)[],
): Promise<string | null> {
  if (config.PEYK_WATCH_PORT === null) return null;
  const { PEYK_HOST: host, PEYK_METRICS_ADDRESSES: addresses, PEYK_METRICS_TOKEN: token } = config;
  const port = await claimPort('PEYK_WATCH_PORT', host, config.PEYK_WATCH_PORT);
  const { openAdminListener } = await import('../http/admin-listener.ts');
  const insiders = { addresses, token, hasTrustedProxies: false };
  const listener = await openAdminListener({ places, state, metrics, insiders }, host, port);
  undo.push(() => listener.close());
  return `http://${place(host, port)}`;
}

type SmppPorts = { plain: number | null; tls: number | null };

/**
 * A default port that is taken (another installation on the same machine) is replaced by a free one; an explicit port must be
 * free.
 */
async function smppPorts(config: Config, isNamed: boolean): Promise<SmppPorts> {
  const { PEYK_SMPP_HOST: host, PEYK_SMPP_PORT: plain, PEYK_SMPP_TLS_PORT: tls } = config;
  if (!config.PEYK_ROLES.includes('smpp')) return { plain: null, tls: null };
  const claim = (setting: string, port: number | null) => (port === null ? null : claimPort(setting, host, port));
  const free = (error: unknown) => {
    if (isNamed) throw error;
    return claimPort('PEYK_SMPP_PORT', host, 0);
  };
  return {
    plain: await Promise.resolve(claim('PEYK_SMPP_PORT', plain)).catch(free),
    tls: await claim('PEYK_SMPP_TLS_PORT', tls),
  };
}

function place(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
