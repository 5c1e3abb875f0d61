// The API over a database of its own, in this process, on a free port: the same as an API worker, without the other processes.
// Tests use real sockets and prepare accounts through the same functions as the command line.
import { join } from 'node:path';
import { expect } from 'vitest';
import { AcceptQueue } from '../../../src/accept/accept-queue.ts';
import { createAuthenticate } from '../../../src/accounts/authenticate.ts';
import { openAccount } from '../../../src/accounts/open.ts';
import { RefusalLog } from '../../../src/accounts/refusals.ts';
import { changeSettings } from '../../../src/accounts/settings.ts';
import { SlowDown } from '../../../src/accounts/slow-down.ts';
import { operations } from '../../../src/api/operations.ts';
import { audit } from '../../../src/audit/invariants.ts';
import { grantCredit } from '../../../src/balance/ledger.ts';
import { addBrand } from '../../../src/consent/brands.ts';
import { type Connection, type Db, openPool } from '../../../src/db/db.ts';
import type { EmbeddedConnection } from '../../../src/db/embedded/layout.ts';
import { statementLimits } from '../../../src/db/statement-limits.ts';
import { programVersion, projectRoot } from '../../../src/db/version.ts';
import { addDocs } from '../../../src/http/docs.ts';
import { addHealth } from '../../../src/http/health.ts';
import { addMcp } from '../../../src/http/mcp.ts';
import { addReference } from '../../../src/http/reference/reference.ts';
import { createServer, type ServerOptions } from '../../../src/http/server.ts';
import { silentLog } from '../../../src/log.ts';
import { decideSender } from '../../../src/senders/senders.ts';
import { Client, type Reply } from '../customers/client.ts';
import { breachOf } from '../customers/contract-check.ts';
import { type PlaceOptions, testPlace } from '../database/citus.ts';
import { type TestPlace, testDatabase } from '../database/database.ts';

type Credentials = { key: unknown; hash: unknown };
type CallOptions = Partial<Credentials> & { headers?: Record<string, string> };

export type TestAccount = Credentials & {
  id: number;
  key: string;
  hash: string;
  call(operation: string, members?: object, options?: CallOptions): Promise<Reply>;
  /** An accepted order's id. */
  send(order: object, options?: CallOptions): Promise<string>;
};

type AccountOptions = {
  /** Credit in addition to the welcome credit of 100; negative removes some. */
  sms?: number;
  senders?: string[];
  brands?: number[];
  quota?: number | null;
  settings?: Record<string, string>;
};

export type TestApp = {
  url: string;
  db: Db;
  connection: Connection;
  client: Client;
  server: ReturnType<typeof createServer>;
  refusals: RefusalLog;
  /** Errors that the server logged as its own; empty in a passing test. */
  faults: object[];
  open(options?: AccountOptions): Promise<TestAccount>;
  call(operation: string, members: object, options: CallOptions): Promise<Reply>;
  /** Settles the next `count` open messages of an order. */
  settle(account: TestAccount, orderId: string, status: 111 | 112, count?: number): Promise<void>;
  audit(): ReturnType<typeof audit>;
  close(): Promise<void>;
};

const closeAfterMs = 86_400_000;

export function pathOf(operation: string): string {
  return `/v1/${operations.find(one => one.name === operation)!.path}/json`;
}

type AppOptions = PlaceOptions & {
  trustedProxies?: string[];
  /** Who may read metrics besides this machine. */
  insiders?: { addresses: string[]; token: string };
  pace?: ServerOptions['pace'];
  publicUrl?: string;
  host?: string;
  /** Time after which messages without a receipt are closed. */
  closeAfterMs?: number;
  /** The server's connection to its database. */
  through?: (connection: EmbeddedConnection) => Promise<EmbeddedConnection>;
};

/** The database, and the server's connection to it. */
async function placeOf({ through, own = false }: AppOptions): Promise<{ database: TestPlace; connection: Connection }> {
  if (through) {
    const database = await testDatabase();
    return { database, connection: await through(database.connection) };
  }
  const database = await testPlace({ own });
  return { database, connection: database.connection };
}

export async function testApp(options: AppOptions = {}): Promise<TestApp> {
  const { database, connection } = await placeOf(options);
  // The server has its own pool, so that a test can break it and still read the data.
  const db = openPool(connection, { max: 8, name: 'peyk api', onError: () => {}, limit: statementLimits.call });
  const faults: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(fields) };
  const orders = new AcceptQueue(db, options.closeAfterMs ?? closeAfterMs);
  const refusals = new RefusalLog(db, log);
  const services = { db, orders, authenticate: createAuthenticate(db), slowDown: new SlowDown(), refusals, log };
  const server = createServer(services, {
    trustedProxies: options.trustedProxies ?? [],
    ...(options.pace ? { pace: options.pace } : {}),
  });
  addHealth(
    server,
    () => [[0, db]],
    () => ({ live: true, stalled: [] }),
    async () => [],
    { addresses: [], token: '', ...options.insiders, hasTrustedProxies: options.trustedProxies !== undefined },
  );
  addMcp(server, services);
  addDocs(server, join(projectRoot(), 'dist', 'docs'));
  addReference(server, { publicUrl: options.publicUrl ?? '', version: programVersion() });
  const url = await server.listen({ host: options.host ?? '127.0.0.1', port: 0 });
  const client = new Client(url);

  const call = async (operation: string, members: object, { key, hash, headers }: CallOptions) => {
    const body = { request: { authentication: { key, hash }, ...members } };
    const reply = await client.post(pathOf(operation), body, headers);
    expect(breachOf(operation, reply.code, { response: reply.response }), 'breach of the contract').toBeNull();
    return reply;
  };

  const open = async (options: AccountOptions = {}): Promise<TestAccount> => {
    const { id, key, hash } = await openAccount(database.pool, 'Deneme');
    await prepare(database.pool, id, options);
    const account: TestAccount = {
      id,
      key,
      hash,
      call: (operation, members = {}, more = {}) => call(operation, members, { key, hash, ...more }),
      async send(order, more) {
        const reply = await account.call('send-sms', { order }, more);
        if (reply.code !== 200) throw new Error(`send-sms answered ${reply.code} ${reply.message}`);
        return reply.response.order!.id;
      },
    };
    return account;
  };

  return {
    url,
    db: database.pool,
    connection: database.connection,
    client,
    server,
    refusals,
    faults,
    open,
    call,
    settle: (account, orderId, status, count) => settle(database.pool, account.id, orderId, status, count),
    audit: () => audit(database.pool),
    async close() {
      client.close();
      await server.close();
      await refusals.flush();
      if (!db.ended) await db.end();
      await database.close();
    },
  };
}

async function prepare(db: Db, id: number, options: AccountOptions): Promise<void> {
  if (options.sms) await grantCredit(db, id, options.sms, 'test', 'test');
  for (const name of options.senders ?? []) await decideSender(db, id, name, 'approved');
  for (const code of options.brands ?? []) await addBrand(db, id, code, options.quota ?? null);
  if (options.settings) await changeSettings(db, id, options.settings);
}

async function settle(db: Db, accountId: number, orderId: string, status: number, count?: number): Promise<void> {
  await db.query(
    `select settle(array_agg(m.id), array_agg($3::smallint), array_agg(0::smallint))
     from (select id from messages where account_id = $1 and order_id = $2 and status = 110 order by id limit $4) m
     having count(*) > 0`,
    [accountId, orderId, status, count ?? null],
  );
  // As a dispatcher leaves it: no chunk of an ended order.
  await db.query(
    `delete from chunks c using orders o where o.id = $1 and o.state = 'finished' and c.account_id = o.account_id
      and c.first_message_id >= o.first_message_id and c.first_message_id < o.first_message_id + o.total`,
    [orderId],
  );
}
