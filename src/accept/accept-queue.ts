// Queues orders for the database. Small orders that arrive together are stored in one batch: while one is being committed the next
// gathers, so 32 clients do not pay for 32 commits. Large orders are stored alone, a few at a time, by the same function (`accept`).
// A batch whose commit was not confirmed is never repeated: its callers get 503 and may repeat with an idempotency key.
import { OutdatedAccount } from '../accounts/account.ts';
import {
  CommitUnknown,
  type Db,
  type Queryable,
  row,
  run,
  type Sql,
  sql,
  sqlState,
  type Tx,
  transaction,
} from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import { Turns } from '../loops/turns.ts';
import { announceWork } from '../queue/announce.ts';
import { nobodyConsents, Refusal, type StatusCode } from '../status.ts';
import { monotonicMs } from '../time/clock.ts';
import { type Accepted, acceptColumns, acceptDurablySql, acceptSql } from './accept-columns.ts';
import type { AcceptAnswer, AcceptRequest } from './accept-request.ts';
import { findRepeat } from './idempotency.ts';
import { type LineBounds, OrderLine, Overloaded, type Waiting } from './order-line.ts';

const smallRecipients = 100;
// The caller of a small order should wait a second at most; with 503 it may ask another node, or again. Large orders take seconds
// one by one, and their callers wait longer.
const lines = {
  small: { atOnce: 1, together: 128, recipients: 1_000, waitMaxMs: 1_000 },
  large: { atOnce: 2, together: 1, recipients: 0, waitMaxMs: 25_000 },
} satisfies Record<string, LineBounds>;
const plansWaitingMax = 20;
const creditGone = 'PK402';
const outdated = 0;
const replayed = 208;

const takeCreditSql = sql('take credit')`select take_credit($1, $2)`;
const keptSql = sql<{ id: number }>('accept kept')`
  select id from orders where id = $1 and account_id = $2 and fingerprint = $3`;
/** The retention may have removed an older order. */
const rememberedMs = 3_600_000;
type LastAccepted = { orderId: number; accountId: number; fingerprint: bigint; atMs: number };

export class AcceptQueue {
  readonly #db: Db;
  /** How long after its last submit an order ends without receipts. */
  readonly closeAfterMs: number;
  readonly #small = new OrderLine(lines.small, batch => this.#accept(batch));
  readonly #large = new OrderLine(lines.large, batch => this.#accept(batch));
  readonly #plans = new Turns();
  #last: LastAccepted | undefined;

  constructor(db: Db, closeAfterMs: number) {
    this.#db = db;
    this.closeAfterMs = closeAfterMs;
  }

  async accept(request: AcceptRequest): Promise<AcceptAnswer> {
    const line = isSmall(request) ? this.#small : this.#large;
    const answer = await line.add(request);
    if (answer.code === outdated) throw new OutdatedAccount();
    const { accountId, recipients } = request;
    if (answer.code === 200)
      this.#last = { orderId: answer.orderId, accountId, fingerprint: recipients.fingerprint, atMs: monotonicMs() };
    return answer;
  }

  /**
   * Stores all of these orders or none, in one transaction; each is written before the next is read, and the credit for all is taken
   * last. An order without an allowed recipient is left out, unless that is true of all.
   */
  async acceptAll(
    requests: (tx: Tx) => AsyncIterable<AcceptRequest>,
    kept: (tx: Tx, orderIds: number[]) => Promise<unknown>,
  ): Promise<number[]> {
    const stored: { request: AcceptRequest; id: number; price: number }[] = [];
    if (this.#plans.waiting > plansWaitingMax) throw new Overloaded('too many are waiting');
    return await this.#plans.run(async () => {
      const orderIds = await transaction(
        this.#db,
        async tx => {
          let nobody: StatusCode | null = null;
          for await (const request of requests(tx)) {
            const { codes, ids, prices } = await this.#ask(tx, acceptSql, [request], { isUnpaid: true });
            const code = codes[0]!;
            if (code === 452 || code === 469) nobody = code;
            else if (code !== 200) throw new Refusal(code as StatusCode);
            else stored.push({ request, id: ids[0]!, price: prices[0]! });
          }
          if (stored.length === 0)
            throw nobody === 469 ? new Refusal(469, undefined, nobodyConsents) : new Refusal(452);
          const ids = stored.map(one => one.id);
          await kept(tx, ids);
          const price = stored.reduce((sum, one) => sum + one.price, 0);
          await run(tx, takeCreditSql, [stored[0]!.request.accountId, price]).catch(refusedIfGone);
          return ids;
        },
        statementLimits.large,
      );
      this.#announce(stored.map(one => one.request));
      return orderIds;
    });
  }

  /** A sentence if the last order that was answered 200 is missing in the database; null otherwise. */
  async lost(db: Queryable): Promise<string | null> {
    const last = this.#last;
    if (!last || monotonicMs() - last.atMs > rememberedMs) return null;
    const { orderId, accountId, fingerprint } = last;
    if (await row(db, keptSql, [orderId, accountId, String(fingerprint)])) return null;
    return `order ${orderId} of account ${accountId}, which was answered 200, is not there`;
  }

  async #accept(batch: Waiting[]): Promise<void> {
    // Orders of one account and lane next to each other, so that they share chunks.
    batch.sort((a, b) => a.request.accountId - b.request.accountId || a.request.lane - b.request.lane);
    try {
      const requests = batch.map(one => one.request);
      const { codes, ids } = await this.#store(requests);
      this.#announce(requests.filter((_, i) => codes[i] === 200));
      for (const [i, one] of batch.entries()) await this.#answer(one, codes[i]!, ids[i]!);
    } catch (error) {
      if (!isUndone(error))
        for (const one of batch) one.reject(new CommitUnknown('the orders may be stored', { cause: error }));
      else if (batch.length === 1) batch[0]!.reject(error);
      // One order made the batch fail: each is tried alone.
      else for (const one of batch) await this.#accept([one]);
    }
  }

  async #store(requests: AcceptRequest[]): Promise<Accepted> {
    const ask = (isStrict: boolean): Promise<Accepted> =>
      isSmall(requests[0]!)
        ? this.#ask(this.#db, acceptDurablySql, requests, { isStrict })
        : transaction(this.#db, tx => this.#ask(tx, acceptSql, requests, { isStrict }), statementLimits.large);
    try {
      return await ask(false);
    } catch (error) {
      if (sqlState(error) !== creditGone) throw error;
      return ask(true);
    }
  }

  async #ask(
    db: Queryable,
    statement: Sql<Accepted>,
    requests: AcceptRequest[],
    way: { isStrict?: boolean; isUnpaid?: boolean },
  ): Promise<Accepted> {
    const columns = acceptColumns(requests, {
      closeAfterMs: this.closeAfterMs,
      isStrict: false,
      isUnpaid: false,
      ...way,
    });
    return (await row(db, statement, columns))!;
  }

  async #answer({ request, resolve, reject }: Waiting, code: number, orderId: number): Promise<void> {
    if (code === replayed) resolve({ code: 200, orderId, replayed: true });
    else if (code === 422) await this.#repeated(request).then(resolve, reject);
    else resolve({ code, orderId, replayed: false });
  }

  #announce(stored: AcceptRequest[]): void {
    announceWork(
      this.#db,
      stored.filter(one => !one.sendAt),
    );
  }

  /** 422 unless the digest of the same body was stored under another setting or key than ours. */
  async #repeated({ accountId, idempotency, submitAt }: AcceptRequest): Promise<AcceptAnswer> {
    const orderId = await findRepeat(this.#db, accountId, idempotency!, submitAt).catch(unlessOther);
    return orderId === null ? { code: 422, orderId: 0, replayed: false } : { code: 200, orderId, replayed: true };
  }
}

function isSmall({ recipients }: AcceptRequest): boolean {
  return recipients.numbers.length <= smallRecipients;
}

function unlessOther(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

function refusedIfGone(error: unknown): never {
  throw sqlState(error) === creditGone ? new Refusal(402) : error;
}

/**
 * Whether nothing is stored because the server refused the statement. Any other error, like a lost connection, may have come during
 * the commit, whose outcome is then unknown.
 */
function isUndone(error: unknown): boolean {
  return /^(22|23|40|42|55)/.test(sqlState(error));
}
