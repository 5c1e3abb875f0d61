// For tests: the panel over a database of its own, and browsers that keep their cookie.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { SlowDown } from '../accounts/slow-down.ts';
import { addPanel } from '../http/panel.ts';
import { createServer } from '../http/server.ts';
import { silentLog } from '../log.ts';
import { AcceptQueue } from '../orders/accept-queue.ts';
import type { Answer, InputOf, OperationName, OutputOf, PanelError } from './contract.ts';

export type Panel = {
  database: TestDatabase;
  server: FastifyInstance;
  key: Buffer;
  browser(address?: string): Browser;
  /** A browser of the owner of a fresh account. */
  owner(name?: string): Promise<Browser & { accountId: number; email: string }>;
  staff(): Promise<Browser>;
  stop(): Promise<void>;
};

const closeAfterMs = 90_000_000;
export const goodPassword = 'uzun bir parola 1';
let people = 0;

export async function startPanel(distFolder = 'no-build-here'): Promise<Panel> {
  const database = await testDatabase();
  const { pool: db } = database;
  const orders = new AcceptQueue(db, closeAfterMs);
  const refusals = new RefusalLog(db, silentLog);
  const services = {
    db,
    orders,
    authenticate: createAuthenticate(db),
    slowDown: new SlowDown(),
    refusals,
    log: silentLog,
  };
  const server = createServer(services, { trustedProxies: [] });
  const key = Buffer.alloc(32, 9);
  const options = { allowPrivateWebhooks: true, operatorCode: 'B186', retentionDays: 400 };
  addPanel(server, join(distFolder), { db, orders, key, log: silentLog, options });
  await server.ready();
  const browser = (address = '10.0.0.1') => new Browser(server, address);
  return {
    database,
    server,
    key,
    browser,
    async owner(name = 'Deneme Ltd') {
      const email = `kisi${++people}@ornek.com`;
      const one = browser();
      const me = await one.ok('session.signUp', {
        accountName: name,
        email,
        mobile: '555 000 00 00',
        password: goodPassword,
      });
      return Object.assign(one, { accountId: me.account!.id, email });
    },
    async staff() {
      const one = browser();
      const email = `gorevli${++people}@ornek.com`;
      await one.ok('session.signUp', { accountName: 'Görevli', email, mobile: '5550000000', password: goodPassword });
      await db.query('update users set staff = true where email = $1', [email]);
      return one;
    },
    async stop() {
      await server.close();
      await refusals.flush();
      await database.close();
    },
  };
}

type Headers = Record<string, string>;

export class Browser {
  cookie = '';
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
    return { status: answer.statusCode, body: answer.json() as Answer<OutputOf<Name>>, text: answer.body };
  }

  /** The data, or a failed test. */
  async ok<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const { body } = await this.send(name, input);
    if (!body.ok) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
    return body.data;
  }

  /** The refusal, or a failed test. */
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
    return this.cookie ? { cookie: `peyk_session=${this.cookie}` } : {};
  }

  #keepCookie(header: string | string[] | undefined): void {
    const text = Array.isArray(header) ? header[0] : header;
    if (text === undefined) return;
    const [, value, attributes] = /^peyk_session=([^;]*)(.*)$/.exec(text) ?? [];
    this.cookie = value ?? '';
    this.cookieAttributes = attributes ?? '';
  }
}
