// For tests of this folder: a database, an account, carriers (the SMSC simulator in this process), and dispatchers that are started and
// stopped as the program does it.

import { type Smsc, type SmscOptions, startSmsc } from '../../simulators/smsc/main.ts';
import { ScriptedCarrier } from '../../test/support/carriers/scripted-carrier.ts';
import { type PlaceOptions, testPlace } from '../../test/support/database/citus.ts';
import type { TestPlace } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { acceptOrder } from '../accept/accept.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import type { OrderDraft } from '../accept/draft.ts';
import { type Account, findAccount } from '../accounts/account.ts';
import { openAccount } from '../accounts/open.ts';
import { changeSettings } from '../accounts/settings.ts';
import { grantCredit } from '../balance/ledger.ts';
import { putCarrier } from '../carriers/carriers.ts';
import { CellParts } from '../cells/cell-parts.ts';
import { type Db, openPool } from '../db/db.ts';
import { type Log, silentLog } from '../log.ts';
import { startTasks } from '../processes/tasks.ts';
import { ChunkProgress } from '../queue/chunk-progress.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { FlushBatch } from '../receipts/flush.ts';
import { loadConfig } from '../settings/config.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';

export const secretKey = Buffer.alloc(32, 9);
const closeAfterMs = 3_600_000;

type StoredChunk = {
  id: number;
  count: number;
  mark: number;
  leased: boolean;
  ids: number[] | null;
  lost: number;
};
/** SQL condition: chunk c holds message m. */
const holdsMessage =
  'case when c.ids is null then m.id between c.first_message_id and c.first_message_id + c.count - 1 else m.id = any (c.ids) end';

type Message = { id: number; number: number; status: number; reason: number };

type More = Partial<Pick<OrderDraft, 'sender' | 'fingerprint' | 'smpp' | 'consentCheck' | 'consentList'>>;

export class DispatchBench {
  readonly database: TestPlace;
  readonly db: Db;
  readonly log: { fields: Record<string, unknown>; event: string }[] = [];
  readonly #queue: AcceptQueue;
  readonly #running: { stop(): Promise<void> }[] = [];

  constructor(database: TestPlace) {
    this.database = database;
    this.db = database.pool;
    this.#queue = new AcceptQueue(this.db, closeAfterMs);
  }

  async account(rate = 100_000): Promise<number> {
    const { id } = await openAccount(this.db, 'Deneme');
    await grantCredit(this.db, id, 100_000, 'test', 'test');
    await changeSettings(this.db, id, { rate: String(rate) });
    return id;
  }

  async accept(accountId: number, text: string, recipients: (number | string)[], more: More = {}): Promise<number> {
    const account = (await findAccount(this.db, accountId))!;
    return this.#accept(account, text, recipients, more);
  }

  /** Orders of one message each, accepted by one statement. */
  async together(orders: { account: number; text: string; number: number }[]): Promise<number[]> {
    const accounts = await Promise.all(orders.map(one => findAccount(this.db, one.account)));
    return Promise.all(orders.map((one, i) => this.#accept(accounts[i]!, one.text, [one.number])));
  }

  async #accept(account: Account, text: string, recipients: (number | string)[], more: More = {}): Promise<number> {
    const draft = {
      sender: 'APITEST',
      texts: [{ text, recipients: recipients.map(String) }],
      sendAt: null,
      consentCheck: false,
      consentList: null,
      source: 'api',
      ...more,
    } as const;
    return acceptOrder(this.#queue, account, draft as never, null, new Date());
  }

  async carrier(
    name: string,
    settings: Record<string, string> = {},
    options: Partial<SmscOptions> = {},
  ): Promise<Smsc> {
    const smsc = await startSmsc({ port: 0, httpPort: 0, ...options });
    this.#running.push(smsc);
    const address = { host: '127.0.0.1', port: String(smsc.port), 'system-id': 'peyk', password: 'peyk' };
    await putCarrier(this.db, secretKey, name, { ...address, ...settings });
    return smsc;
  }

  /** A carrier whose answers the test controls. */
  async scripted(name: string, settings: Record<string, string> = {}): Promise<ScriptedCarrier> {
    const carrier = await new ScriptedCarrier().start();
    this.#running.push(carrier);
    const address = { host: '127.0.0.1', port: String(carrier.port), 'system-id': 'peyk', password: 'peyk' };
    await putCarrier(this.db, secretKey, name, { ...address, ...settings });
    return carrier;
  }

  async dispatcher(env: Record<string, string> = {}, dead: number[] | 'all' = []): Promise<Dispatcher> {
    const db = openPool(this.database.connection, { max: 8, name: 'peyk dispatch', onError: () => {} });
    const note = (fields: object, event: string) =>
      void this.log.push({ fields: fields as Record<string, unknown>, event });
    const log: Log = { ...silentLog, info: note, warn: note, error: note };
    const settings = { PEYK_UNSURE_HOLD_SECONDS: '1', PEYK_LEASE_SECONDS: '2', ...env };
    const { config } = loadConfig([], settings);
    const parts = { db, connection: this.database.connection, key: secretKey, config, log };
    const failover = new FailoverCheck(silentLog, { leases: true });
    const progress = new ChunkProgress(null);
    const own = { leases: db, receipts: db, failover, progress, deadDispatchers: dead, onIdentity: () => {} };
    const dispatcher = await startDispatcher({ ...parts, ...own });
    const part = { db, stop: async () => {} };
    const cells = new CellParts(part, { homeDb: db, key: secretKey, log, open: () => part });
    const tasks = await startTasks(['dispatch'], { ...parts, cell: 0, cells });
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= tasks
        .stop()
        .then(() => dispatcher.stop())
        .then(() => db.end());
      return stopping;
    };
    this.#running.unshift({ stop });
    return { ...dispatcher, stop };
  }

  async messages(orderId: number): Promise<Message[]> {
    const { rows } = await this.db.query(
      'select id, number, status, reason from messages where order_id = $1 order by id',
      [orderId],
    );
    return rows as Message[];
  }

  /** Waits until no message of the order waits any more, and returns them. */
  finished(orderId: number): Promise<Message[]> {
    return wait(
      `order ${orderId} to finish`,
      async () => {
        const found = await this.messages(orderId);
        return found.every(one => one.status !== 110) ? found : undefined;
      },
      25_000,
    );
  }

  /** The chunks that hold messages of an order. */
  async chunks(orderId: number): Promise<StoredChunk[]> {
    const { rows } = await this.db.query(
      `select c.id, c.count, c.mark, c.lease_owner is not null as leased, c.ids, c.lost from chunks c
       where exists (select 1 from messages m where m.order_id = $1 and m.account_id = c.account_id and ${holdsMessage}) order by c.id`,
      [orderId],
    );
    return rows as StoredChunk[];
  }

  /** Messages of the order that may be on the air. */
  async unsure(orderId: number): Promise<number[]> {
    const text = 'select m.id from unsure u join messages m on m.id = u.message_id where m.order_id = $1 order by 1';
    return (await this.db.query(text, [orderId])).rows.map(row => row.id as number);
  }

  async close(): Promise<void> {
    for (const one of this.#running) await one.stop();
    await this.database.close();
  }
}

export async function dispatchBench(options: PlaceOptions = {}): Promise<DispatchBench> {
  return new DispatchBench(await testPlace(options));
}

export async function fault(smsc: Smsc, kind: string, seconds: number): Promise<void> {
  await fetch(`${smsc.url}/fault`, { method: 'POST', body: JSON.stringify({ kind, seconds }) });
}

export async function statsOf(smsc: Smsc): Promise<Record<string, number>> {
  return (await (await fetch(`${smsc.url}/stats`)).json()) as Record<string, number>;
}

/** A batch as a dispatcher stores it when a carrier accepted these messages. */
export function submittedBatch(ids: number[]): FlushBatch {
  const batch = new FlushBatch();
  for (const id of ids) batch.addSubmit(1, `id-${id}`, id, 1, 1);
  return batch;
}
