// Pool, named statements and transactions. Only this folder uses the driver, and only `openPool` and `openClient` connect. Statements are
// module-level constants with a name, so the server prepares each once per connection (1.6 × the rate of unprepared ones). Every statement
// has a time limit in the server and here: statement-limits.ts.
import { lookingInto, type Places, placesOf } from '../settings/database-places.ts';
import { Coordinator } from './citus/coordinator.ts';
import { Holder } from './citus/holder.ts';
import { searchPathOf } from './citus/names.ts';
import pg from './driver.ts';
import { type Finder, Primary } from './primary.ts';
import { Session, type SessionConfig } from './session.ts';
import { type StatementLimit, statementLimits } from './statement-limits.ts';
import { programVersion } from './version.ts';
import { DatabaseSilent, Watch } from './watch.ts';

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

export type Db = pg.Pool;
export type Tx = pg.PoolClient;
export type Queryable = pg.Pool | pg.PoolClient | pg.Client;

/** A named statement; `Row` exists only for the compiler. */
export type Sql<Row> = { readonly name: string; readonly text: string; readonly row?: Row };

/** `sql<Row>('name')` followed by a template: `const x = sql<{ id: number }>('x')\`select …\`` */
export function sql<Row = never>(name: string): (text: TemplateStringsArray) => Sql<Row> {
  return text => ({ name, text: text[0]! });
}

export async function rows<Row>(db: Queryable, statement: Sql<Row>, params: unknown[] = []): Promise<Row[]> {
  const result = await db.query({ name: statement.name, text: statement.text, values: params });
  return result.rows as Row[];
}

export async function row<Row>(db: Queryable, statement: Sql<Row>, params: unknown[] = []): Promise<Row | undefined> {
  return (await rows(db, statement, params))[0];
}

/** Runs a statement for its effect and returns the number of rows it touched. */
export async function run(db: Queryable, statement: Sql<unknown>, params: unknown[] = []): Promise<number> {
  const result = await db.query({ name: statement.name, text: statement.text, values: params });
  return result.rowCount ?? 0;
}

type Ask<Given extends unknown[], Answer> = (db: Queryable, ...given: Given) => Promise<Answer>;
type Way<Row, Answer> = (db: Queryable, statement: Sql<Row>, params: unknown[]) => Promise<Answer>;

/** As a callback it may be called with more than its parameters, like the index of an array. */
function asking<Row, Given extends unknown[], Answer>(name: string, way: Way<Row, Answer>) {
  return (text: TemplateStringsArray): Ask<Given, Answer> => {
    const statement = sql<Row>(name)(text);
    const count = Math.max(0, ...Array.from(statement.text.matchAll(/\$(\d+)/g), found => Number(found[1])));
    return (db, ...given) => way(db, statement, given.slice(0, count));
  };
}

/** A statement as a function of its parameters: `const end = runOf<[id: number]>('end')\`delete … where id = $1\`` */
export const runOf = <Given extends unknown[] = []>(name: string) => asking<unknown, Given, number>(name, run);
export const rowOf = <Row, Given extends unknown[] = []>(name: string) =>
  asking<Row, Given, Row | undefined>(name, row);
export const rowsOf = <Row, Given extends unknown[] = []>(name: string) => asking<Row, Given, Row[]>(name, rows);

const int8 = 20;
const int2Array = 1005;
const int4Array = 1007;
const int8Array = 1016;

// Ids, numbers and counts stay far below 2^53, so they are numbers in JavaScript; the check refuses a larger value, which would silently
// lose digits. Arrays are split by hand: 20 × the generic parser.
const parsers: Record<number, (text: string) => unknown> = {
  [int8]: text => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new Error(`bigint out of range: ${text}`);
    return value;
  },
  [int2Array]: numbersOf,
  [int4Array]: numbersOf,
  [int8Array]: numbersOf,
};

function numbersOf(text: string): number[] {
  return text.length === 2 ? [] : text.slice(1, -1).split(',').map(Number);
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text');
  },
} as unknown as pg.CustomTypesConfig;

type ClientOptions = {
  name: string;
  onError(error: Error): void;
  /** Limit of each statement without one of its own; default: `work`. */
  limit?: StatementLimit;
};
type PoolOptions = ClientOptions & {
  max: number;
  /** Runs on each new connection before its first use; if it fails, so does the caller that waits for the connection. */
  first?(client: Queryable): Promise<unknown>;
};

// This limit applies twice: waiting for a connection of the pool, then for the server to accept a new one.
const connectMaxMs = 4_000;
const idleMaxMs = 30_000;
/** How often a connection that mostly listens or holds locks checks its server. */
const askMs = 5_000;

export function openPool(connection: Connection, options: PoolOptions): Db {
  const { first } = options;
  const pool = new WatchedPool({
    ...sessionConfig(connection, options),
    max: options.max,
    idleTimeoutMillis: idleMaxMs,
    Client: Session,
    ...(first ? { verify: checkedBy(first) } : {}),
  } as unknown as WatchedConfig);
  // Without a listener a restarting server would end the process.
  pool.on('error', options.onError);
  open.set(pool, options.name);
  return pool;
}

/** A pool for one piece of work, closed after it. */
export async function withPool<T>(connection: Connection, name: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openPool(connection, { max: 4, name, onError: () => {} });
  return work(db).finally(() => db.end());
}

function checkedBy(first: NonNullable<PoolOptions['first']>) {
  return (client: pg.PoolClient, done: (error?: Error) => void) =>
    void first(client).then(
      () => done(),
      (error: Error) => done(error),
    );
}

const open = new Map<pg.Pool, string>();

/** How much of its pools this process uses. */
export function poolUses() {
  return [...open].map(([pool, name]) => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
    return { name, used: totalCount - idle, idle, max: pool.options.max, waiting };
  });
}

type WatchedConfig = pg.PoolConfig & SessionConfig;
type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Fails at once while no server answers, instead of letting callers queue for their time limit. */
class WatchedPool extends pg.Pool {
  readonly #watch: Watch;

  constructor(config: WatchedConfig) {
    super(config);
    this.#watch = config.watch;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Taken): void;
  override connect(callback?: Taken): Promise<pg.PoolClient> | undefined {
    if (!this.#watch.silent) return callback ? void super.connect(callback) : super.connect();
    const error = new DatabaseSilent('the database has not answered for some seconds');
    if (!callback) return Promise.reject(error);
    process.nextTick(callback, error, undefined, () => {});
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    this.#watch.stop();
    open.delete(this);
    return callback ? void super.end(callback) : super.end();
  }
}

/** One connection outside of the pools, for LISTEN and advisory locks. It ends when its server does not answer. */
export async function openClient(connection: Connection, options: ClientOptions): Promise<pg.Client> {
  const config = sessionConfig(connection, options);
  const client = new Session(config);
  client.on('error', options.onError);
  await client.connect();
  const timer = setInterval(() => client.query('select 1').catch(() => {}), askMs);
  timer.unref();
  client.once('end', () => {
    clearInterval(timer);
    config.watch.stop();
  });
  return client;
}

function sessionConfig(connection: Connection, options: ClientOptions): SessionConfig {
  const limit = options.limit ?? statementLimits.work;
  const { driver, primary, mustWrite } = whereTo(connection);
  return {
    ...driver,
    types,
    application_name: `${options.name} ${programVersion()}`,
    connectionTimeoutMillis: connectMaxMs,
    statement_timeout: limit.statement,
    lock_timeout: limit.lock,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: askMs,
    limit,
    mustWrite,
    primary,
    watch: new Watch(driver, primary),
  };
}

type Where = { driver: pg.ClientConfig; primary?: Finder; mustWrite: boolean };

/** The address of one server, or a finder of the primary among several. */
export function whereTo(connection: Connection): Where {
  if (!('connectionString' in connection)) return { driver: { ...connection }, mustWrite: false };
  const places = placesOf(connection.connectionString);
  if (places.citus) return holding(places);
  const driver = { connectionString: places.url };
  const primary = places.several.length > 0 ? primaryOf(places) : undefined;
  return { driver, mustWrite: places.mustWrite, ...(primary ? { primary } : {}) };
}

function primaryOf({ url, several }: Places): Primary {
  const name = JSON.stringify([url, several]);
  const primary = primaries.get(name) ?? new Primary({ connectionString: url }, several);
  primaries.set(name, primary);
  return primary;
}

/** Finds the server of the cluster that has the schema. A server that no longer has it counts as read-only. */
function holding(places: Places): Where & { primary: Holder } {
  const { url, several, schema, hosts = new Map() } = places;
  const driver = { connectionString: lookingInto(url, searchPathOf(schema!)) };
  const name = JSON.stringify([url, several, ...hosts]);
  const known = holders.get(name);
  if (known) return { driver, mustWrite: true, primary: known };
  const primary = several.length > 0 ? primaryOf(places) : undefined;
  const coordinator = new Coordinator({ driver: { connectionString: url }, find: async () => primary?.find(), hosts });
  const holder = new Holder(coordinator, schema!, driver);
  holders.set(name, holder);
  return { driver, mustWrite: true, primary: holder };
}

/** The coordinator of the cluster of this address; undefined: no cluster. */
export function citusOf(connection: Connection): { schema: string; holder: Holder; plain: Connection } | undefined {
  if (!('connectionString' in connection)) return undefined;
  const places = placesOf(connection.connectionString);
  if (!places.citus) return undefined;
  const plain = { connectionString: connection.connectionString.replace(/([?&])citus=on(&|$)/, '$1') };
  return { schema: places.schema!, holder: holding(places).primary, plain };
}

/** The schema that an address names; undefined: none. */
export function schemaOf(connection: Connection): string | undefined {
  return 'connectionString' in connection ? placesOf(connection.connectionString).schema : undefined;
}

/** Finders of primaries, shared by all connections of this process. */
const primaries = new Map<string, Primary>();
const holders = new Map<string, Holder>();

/** The answer to a COMMIT was lost: the work may be stored. */
export class CommitUnknown extends Error {}

/** `limit`: for each statement of the transaction, if it differs from the limit of the pool. */
export function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>, limit?: StatementLimit): Promise<T> {
  return within(db, 'begin', work, limit);
}

/** Several reads of one snapshot, so that numbers of different statements agree. Read-only. */
export function snapshot<T>(db: Db, work: (tx: Tx) => Promise<T>, limit?: StatementLimit): Promise<T> {
  return within(db, 'begin isolation level repeatable read read only', work, limit);
}

async function within<T>(db: Db, begin: string, work: (tx: Tx) => Promise<T>, limit?: StatementLimit): Promise<T> {
  const tx = await db.connect();
  const session = tx as unknown as Session;
  const usual = session.limit;
  let broken: Error | undefined;
  try {
    session.limit = limit ?? usual;
    await tx.query(limit ? `${begin}; ${localLimits(limit)}` : begin);
    const result = await work(tx);
    await commit(tx);
    return result;
  } catch (error) {
    if (error instanceof CommitUnknown) broken = error;
    else await tx.query('rollback').catch(failure => (broken = failure));
    throw error;
  } finally {
    session.limit = usual;
    tx.release(broken);
  }
}

function localLimits({ statement, lock }: StatementLimit): string {
  return `set local statement_timeout = ${statement}; set local lock_timeout = ${lock}`;
}

async function commit(tx: Tx): Promise<void> {
  try {
    await tx.query('commit');
  } catch (error) {
    // An SQLSTATE is a definite refusal, unless it only reports the end of the session (57P…), which may come after the commit was
    // written. Any other error is a lost answer.
    if (isDatabaseError(error) && !error.code?.startsWith('57P')) throw error;
    throw new CommitUnknown('the answer to COMMIT was lost', { cause: error });
  }
}

export function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** SQLSTATE of a server error, '' for anything else (a cut connection, a timeout of ours). */
export function sqlState(error: unknown): string {
  return isDatabaseError(error) ? (error.code ?? '') : '';
}

/** A few numbers as an array literal, which fits any array type; hundreds are sent in binary format (arrays.ts). */
export function arrayLiteral(values: Iterable<number> | readonly number[]): string {
  return `{${Array.isArray(values) ? values.join(',') : [...values].join(',')}}`;
}

const accountLock = sql<{ ok: string }>('account list lock')`
  select pg_advisory_xact_lock(7030005 # lock_salt(), hashint8($1::bigint))::text as ok`;

/** Locks the bounded lists of an account until the transaction ends, so that a count and the following insert agree. */
export async function lockBoundedLists(tx: Tx, accountId: number): Promise<void> {
  await row(tx, accountLock, [accountId]);
}
