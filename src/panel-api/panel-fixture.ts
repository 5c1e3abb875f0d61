// For tests: the panel over a database of its own, and browsers that keep their cookie.

import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type PlaceOptions, testPlace } from '../../test/support/database/citus.ts';
import type { TestPlace } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { ApiCallLog } from '../accounts/api-calls.ts';
import { ApiUsage } from '../accounts/api-usage.ts';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { newCredentials } from '../accounts/credentials.ts';
import { openIn } from '../accounts/open.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { SlowDown } from '../accounts/slow-down.ts';
import { type CellPart, CellParts } from '../cells/cell-parts.ts';
import { type Checker, checkerOf } from '../contract/check.ts';
import { type Connection, type Db, openPool, transaction } from '../db/db.ts';
import { addPanel } from '../http/panel.ts';
import { createServer } from '../http/server.ts';
import { silentLog } from '../log.ts';
import { databaseMetricsOf } from '../metrics/stored/database-metrics.ts';
import { addMember } from '../people/memberships.ts';
import { hashPassword } from '../people/passwords.ts';
import { openSession } from '../people/sessions.ts';
import { createUser } from '../people/users.ts';
import { unseal } from '../sealing/secrets.ts';
import { createIdentityCheck } from '../senders/identity-check.ts';
import type { Answer, InputOf, OperationName, OutputOf } from './contract/contract.ts';
import { schemas } from './contract/schemas.ts';
import type { PanelError } from './contract/shapes.ts';

type Panel = {
  database: TestPlace;
  server: FastifyInstance;
  usage: ApiUsage;
  key: Buffer;
  /** Looks for new cells on demand. */
  cells: CellParts<CellPart>;
  calls: ApiCallLog;
  browser(address?: string): Browser;
  /** Returns a browser signed in as the owner of a new account. */
  owner(name?: string): Promise<Browser & { accountId: number; email: string }>;
  staff(): Promise<Browser>;
  /** The newest code sent to a number that was not returned before. */
  sentCode(mobile?: number): Promise<string>;
  stop(): Promise<void>;
};

export const closeAfterMs = 90_000_000;
export const goodPassword = 'uzun bir parola 1';
const ownerMobile = 905_550_000_000;
let hashOfAll: Promise<string> | undefined;
let people = 0;
let texts = 0;

export async function startPanel(
  distFolder = 'no-build-here',
  publicUrl = '',
  identityUrl = '',
  staffSecondFactor = false,
  place: PlaceOptions = {},
): Promise<Panel> {
  const database = await testPlace(place);
  const { pool: db } = database;
  const orders = new AcceptQueue(db, closeAfterMs);
  const refusals = new RefusalLog(db, silentLog);
  const usage = new ApiUsage(db, silentLog);
  const calls = new ApiCallLog(db, silentLog);
  const services = {
    db,
    orders,
    authenticate: createAuthenticate(db),
    slowDown: new SlowDown(),
    refusals,
    usage,
    calls,
    log: silentLog,
  };
  const server = createServer(services, { trustedProxies: ['127.0.0.1'] });
  const key = Buffer.alloc(32, 9);
  const smpp = { port: 2776, tlsPort: null };
  const options = {
    ...{ allowPrivateWebhooks: true, operatorCode: 'B186', retentionDays: 400, publicUrl, smpp },
    staffSecondFactor,
  };
  const identity = createIdentityCheck(identityUrl);
  const part = { db, orders, stop: async () => {} };
  const open = (connection: Connection) => {
    const pool = openPool(connection, { max: 2, name: 'peyk test', onError: () => {} });
    return { db: pool, orders: new AcceptQueue(pool, closeAfterMs), stop: () => pool.end() };
  };
  const cells = new CellParts(part, { homeDb: db, key, log: silentLog, open });
  const parts = { db, orders, cells, key, log: silentLog, identity, options };
  addPanel(server, join(distFolder), { ...parts, metrics: databaseMetricsOf(() => [[0, db]]) });
  await server.ready();
  const browser = (address = '10.0.0.1') => new Browser(server, address);
  return {
    database,
    server,
    usage,
    key,
    calls,
    cells,
    browser,
    async owner(name = 'Deneme Ltd') {
      const email = `kisi${++people}@ornek.com`;
      const one = browser();
      const { token, accountId } = await seedOwner(db, name, email, one.address);
      one.cookie = token;
      return Object.assign(one, { accountId, email });
    },
    async staff() {
      const one = browser();
      const email = `gorevli${++people}@ornek.com`;
      one.cookie = (await seedOwner(db, 'Görevli', email, one.address)).token;
      await db.query('update users set staff = true where email = $1', [email]);
      return one;
    },
    async sentCode(mobile = ownerMobile) {
      const sent = await wait('a code to be on its way', async () => {
        const { rows } = await db.query(
          `select s.sealed, o.id from orders o join idempotency_keys k on k.order_id = o.id
           join order_secrets s on s.account_id = k.account_id and s.key = k.key
           join messages m on m.order_id = o.id and m.number = $1 where o.source = 'platform' order by o.id desc limit 1`,
          [mobile],
        );
        return rows[0];
      });
      await db.query("update orders set source = 'platform-read' where id = $1", [sent.id]);
      return unseal(key, sent.sealed);
    },
    async stop() {
      await server.close();
      await cells.stop();
      await refusals.flush();
      await usage.flush();
      await database.close();
    },
  };
}

/** The account as a sign-up leaves it, without the code by SMS; all share one password hash. */
async function seedOwner(db: Db, name: string, email: string, address: string) {
  hashOfAll ??= hashPassword(goodPassword);
  const passwordHash = await hashOfAll;
  return transaction(db, async tx => {
    const userId = await createUser(tx, { email, passwordHash, name: '', mobile: ownerMobile, language: 'tr' });
    const { id: accountId } = await openIn(tx, name, newCredentials());
    await addMember(tx, accountId, userId, 'owner');
    await recordAuditEntry(tx, { accountId, actor: email, action: 'account.sign-up', address });
    return { accountId, token: await openSession(tx, userId, accountId, { address, agent: '' }) };
  });
}

type Headers = Record<string, string>;

const checkers = new Map<OperationName, Checker>();

/** Checks every answer of every test against the contract. */
export function requireContract(name: OperationName, data: unknown): void {
  const faultOf = checkers.get(name) ?? checkerOf(schemas[name].output);
  checkers.set(name, faultOf);
  const fault = faultOf(data);
  if (fault) throw new Error(`the answer of ${name} is not as its schema says at '${fault.field}' (${fault.rule})`);
}

export class Browser {
  cookie = '';
  /** The cookie value of a browser that requested a code. */
  asker = '';
  /** The attributes of the last cookie set. */
  cookieAttributes = '';
  address: string;
  readonly #server: FastifyInstance;

  constructor(server: FastifyInstance, address: string) {
    this.#server = server;
    this.address = address;
  }

  async send<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    headers: Headers = { 'x-peyk-panel': '1' },
  ): Promise<{ status: number; body: Answer<OutputOf<Name>>; text: string }> {
    const answer = await this.#server.inject({
      method: 'POST',
      url: `/panel/api/${name}`,
      remoteAddress: this.address,
      headers: { 'content-type': 'application/json', ...this.#cookieHeader(), ...headers },
      payload: JSON.stringify(input),
    });
    this.#keepCookie(answer.headers['set-cookie']);
    const body = answer.json() as Answer<OutputOf<Name>>;
    if (body.ok) requireContract(name, body.data);
    return { status: answer.statusCode, body, text: answer.body };
  }

  /** Returns the data, or fails the test. */
  async ok<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const { body } = await this.send(name, input);
    if (!body.ok) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
    return body.data;
  }

  /** Sends a text of its own; returns the order's id. */
  async sendOrder(recipients: string[], sendAt: string | null = null): Promise<number> {
    const given = { sender: 'APITEST', text: `Merhaba ${++texts}`, recipients, sendAt, commercial: false };
    return (await this.ok('send.submit', { ...given, idempotencyKey: `anahtar-${texts}` })).orderId;
  }

  /** Returns the refusal, or fails the test. */
  async refusal<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<PanelError> {
    const { body } = await this.send(name, input);
    if (body.ok) throw new Error(`${name} was not refused`);
    return body.error;
  }

  get(url: string, headers: Headers = {}) {
    return this.#server.inject({
      method: 'GET',
      url,
      remoteAddress: this.address,
      headers: { ...this.#cookieHeader(), ...headers },
    });
  }

  upload(content: Buffer, type: string, name: string, headers: Headers = { 'x-peyk-panel': '1' }) {
    return this.#server.inject({
      method: 'POST',
      url: '/panel/api/upload',
      remoteAddress: this.address,
      headers: {
        'content-type': type,
        'x-peyk-file-name': encodeURIComponent(name),
        ...this.#cookieHeader(),
        ...headers,
      },
      payload: content,
    });
  }

  #cookieHeader(): Headers {
    const cookies = { peyk_session: this.cookie, peyk_asker: this.asker };
    const set = Object.entries(cookies).filter(([, value]) => value);
    return set.length > 0 ? { cookie: set.map(one => one.join('=')).join('; ') } : {};
  }

  #keepCookie(header: string | string[] | undefined): void {
    for (const text of [header ?? []].flat()) {
      const [, name, value = '', attributes = ''] = /^(peyk_\w+)=([^;]*)(.*)$/.exec(text) ?? [];
      if (name === 'peyk_asker') this.asker = value;
      if (name !== 'peyk_session') continue;
      this.cookie = value;
      this.cookieAttributes = attributes;
    }
  }
}
