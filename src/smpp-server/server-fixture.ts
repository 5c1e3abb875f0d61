// For tests of this folder: the SMPP server over a database of its own, in this process, on free ports, as the smpp process runs
// it; and accounts with SMPP users. Messages end as a dispatcher ends them, by settle.

import type { Login } from '../../test/support/customers/smpp-customer.ts';
import { testPlace } from '../../test/support/database/citus.ts';
import type { TestPlace } from '../../test/support/database/database.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { ApiCallLog } from '../accounts/api-calls.ts';
import { ApiUsage } from '../accounts/api-usage.ts';
import { openAccount } from '../accounts/open.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { grantCredit } from '../balance/ledger.ts';
import { type Db, openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { OrderTraces } from '../orders/traces.ts';
import { decideSender } from '../senders/senders.ts';
import { selfSigned } from '../smpp/self-signed.ts';
import { Acceptance } from './acceptance.ts';
import { Deliverer } from './deliverer.ts';
import { LiveBinds } from './live-binds.ts';
import { type CustomerServer, type CustomerServerOptions, startCustomerServer } from './server.ts';
import { createSmppUser, findSmppLogin, type SmppSettings } from './users.ts';

export const olderKey = Buffer.alloc(32, 6);
export const key = Object.assign(Buffer.alloc(32, 7), { older: [olderKey] });
const closeAfterMs = 3_600_000;

export type TestUser = Login & { accountId: number };

export class TestServer {
  readonly db: Db;
  acceptance!: Acceptance;
  refusals!: RefusalLog;
  readonly #database: TestPlace;
  readonly #pool: Db;
  readonly #live: LiveBinds;
  readonly #deliverer: Deliverer;
  #server!: CustomerServer;

  private constructor(database: TestPlace) {
    this.#database = database;
    this.db = database.pool;
    this.#pool = openPool(database.connection, { max: 6, name: 'peyk smpp', onError: () => {} });
    this.#live = new LiveBinds(this.#pool, silentLog);
    this.#deliverer = new Deliverer(this.#pool, silentLog, this.#live.nodeId);
  }

  static open(isProxy?: (address: string) => boolean): Promise<TestServer> {
    return testPlace().then(database => TestServer.#opened(database, isProxy));
  }

  /** Another node with the same database; closed before this one. */
  beside(): Promise<TestServer> {
    return TestServer.#opened({ ...this.#database, close: async () => {} });
  }

  static async #opened(database: TestPlace, isProxy?: (address: string) => boolean): Promise<TestServer> {
    const server = new TestServer(database);
    await server.#start(isProxy ? { isProxy } : {});
    return server;
  }

  async #start(more: Pick<CustomerServerOptions, 'isProxy'>): Promise<void> {
    const db = this.#pool;
    await this.#live.start();
    this.#deliverer.start();
    this.acceptance = new Acceptance(db, new AcceptQueue(db, closeAfterMs));
    this.refusals = new RefusalLog(db, silentLog);
    const traces = new OrderTraces(db, silentLog);
    const logs = {
      refusals: this.refusals,
      usage: new ApiUsage(db, silentLog),
      calls: new ApiCallLog(db, silentLog),
      traces,
    };
    const own = { db, log: silentLog, live: this.#live, deliverer: this.#deliverer, acceptance: this.acceptance };
    const parts = { ...own, ...logs };
    const findLogin = async (systemId: string) => {
      const user = await findSmppLogin(db, systemId);
      return user && { user, parts };
    };
    const options = { host: '127.0.0.1', port: 0, tlsPort: 0, tls: selfSigned(), key, findLogin };
    this.#server = await startCustomerServer(parts, { ...options, ...more });
  }

  get port(): number {
    return this.#server.port!;
  }

  get tlsPort(): number {
    return this.#server.tlsPort!;
  }

  /** An account with credit and the sender PEYK, and one SMPP user that may bind from here. */
  async user(settings: Partial<SmppSettings> = {}, credit = 100_000): Promise<TestUser> {
    const { id } = await openAccount(this.db, 'Deneme');
    await grantCredit(this.db, id, credit - 100, 'test', 'test');
    await decideSender(this.db, id, 'PEYK', 'approved', null);
    return { accountId: id, ...(await this.another(id, settings)) };
  }

  another(accountId: number, settings: Partial<SmppSettings> = {}): Promise<Login> {
    return createSmppUser(this.db, key, accountId, { addresses: ['127.0.0.1'], ...settings });
  }

  /** Every open message of these accounts ends. */
  async settle(accountId: number, status: 111 | 112 = 111, reason = status === 111 ? 0 : 10): Promise<void> {
    await this.db.query(
      `select settle(array_agg(id order by id), array_agg($2::smallint), array_agg($3::smallint))
       from messages where account_id = $1 and status = 110 having count(*) > 0`,
      [accountId, status, reason],
    );
  }

  async orders(
    accountId: number,
  ): Promise<{ id: number; text: string; parts: number; total: number; state: string }[]> {
    const sql = 'select id, text, parts, total, state from orders where account_id = $1 order by id';
    return (await this.db.query(sql, [accountId])).rows;
  }

  async balance(accountId: number): Promise<number> {
    return (await this.db.query('select sms from balances where account_id = $1', [accountId])).rows[0].sms;
  }

  async close(): Promise<void> {
    await this.#server.close(0);
    await this.#deliverer.stop();
    await this.#live.stop();
    await this.#pool.end();
    await this.#database.close();
  }
}
