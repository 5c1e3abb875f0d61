// Orders on their way into the database. Plain small ones (one recipient, one text, now) that arrive together are accepted
// together: while one batch is being committed the next gathers, so 32 clients do not pay for 32 commits (accept_many_4).
// All others go one by one (accept_order_2), large ones a few at a time, so that memory stays bounded, and their rows by
// COPY. What was sent to the database and not answered is never repeated: its callers are told 503 and may ask again with
// an idempotency key.
import { fencedState, OutdatedAccount } from '../accounts/account.ts';
import { monotonicMs } from '../clock.ts';
import { sealDigest } from '../content.ts';
import { int2s, int4s, int8s } from '../db/arrays.ts';
import { copyIn } from '../db/copy-in.ts';
import { CommitUnknown, type Db, type Queryable, row, run, sql, sqlState, type Tx, transaction } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import { limits } from '../limits.ts';
import { nobodyConsents, Refusal, type StatusCode } from '../status.ts';
import type { AcceptAnswer, AcceptRequest } from './accept-request.ts';
import { announceWork, sayAgain, wordsToSend } from './announce.ts';
import { chunkSize } from './chunk-size.ts';
import { encodingCode } from './encodings.ts';
import { findRepeat } from './idempotency.ts';
import { groupAlike, jointMax, type Place, placesIn } from './joint-orders.ts';
import { type Decided, messageRows, messagesTarget } from './message-rows.ts';
import { type LineBounds, OrderLine, type Waiting } from './order-line.ts';
import { plainColumns } from './plain-columns.ts';
import { storedAlready } from './stored-already.ts';
import { Turns } from './turns.ts';

// A caller of a single message waits for a second, not for a minute: told 503 it may ask another node, or again. Large orders
// take that long one by one, and their callers have patience.
const lines = {
  plain: { atOnce: 1, together: jointMax, waitMaxMs: 1_000 },
  single: { atOnce: 6, together: 1, waitMaxMs: 3_000 },
  large: { atOnce: 2, together: 1, waitMaxMs: 25_000 },
} satisfies Record<string, LineBounds>;
const largeRecipients = 1_000;
const plansWaitingMax = 20;
const creditGone = 'PK402';
const outdated = 0;

const acceptSql = sql<AcceptAnswer & Decided & { price: number }>('accept order')`
  select code, order_id as "orderId", replayed, first_id as "firstId", price, reasons as blocked from accept_order_2($1, $2, $3, $4,
    row($5, $6, $7, $8, $9, $10, $11, $12)::order_terms, row($13, $14, $15)::text_columns,
    row($16, $17, $18, $19, null)::recipient_columns, row($20, $21, $22)::idempotency_claim, $23)`;

const takeCreditSql = sql('take credit')`select take_credit_1($1, $2)`;

const acceptManySql = sql<{ r_codes: number[]; r_first_order: number }>('accept many')`
  call accept_many_4(row($1, $2, $3, $4)::order_callers, row(0, null, false, $5, $5, $6, $7, $20)::order_terms,
    row($8, $9, $10, $11, $12, $13, $14)::plain_orders, $15, $16, $17, $18::jsonb[], $19, $21::integer[], null, null)`;

const markSmppSql = sql('smpp order mark')`update orders set smpp = $3 where id = $1 and account_id = $2`;
// Recipients that were refused at once: their receipts are owed at once.
const oweFilteredSql = sql('smpp order filtered')`
  select smpp_owe_1(array_agg(order_id), array_agg(id)) from messages where account_id = $2 and status = 112
    and id between (select first_message_id from orders where id = $1) and (select first_message_id + total - 1 from orders where id = $1)
  having count(*) > 0`;

const keptSql = sql<{ id: number }>('accept kept')`
  select id from orders where id = $1 and account_id = $2 and fingerprint = $3`;
/** An older one may have been removed since. */
const witnessMaxMs = 3_600_000;
type LastAccepted = { orderId: number; accountId: number; fingerprint: bigint; atMs: number };

export class AcceptQueue {
  readonly #db: Db;
  readonly #closeAfterMs: number;
  #last: LastAccepted | undefined;
  readonly #plain = new OrderLine(lines.plain, batch => this.#together(batch));
  readonly #single = new OrderLine(lines.single, batch => this.#alone(batch[0]!));
  readonly #plans = new Turns(plansWaitingMax);
  readonly #large = new OrderLine(lines.large, batch => this.#alone(batch[0]!, true));

  constructor(db: Db, closeAfterMs: number) {
    this.#db = db;
    this.#closeAfterMs = closeAfterMs;
  }

  async accept(request: AcceptRequest): Promise<AcceptAnswer> {
    const line = this.#lineFor(request);
    // Only the plain line verifies what was remembered of the account.
    if (request.stamp !== null && line !== this.#plain) throw new OutdatedAccount();
    const answer = await line.add(request);
    if (answer.code === outdated) throw new OutdatedAccount();
    // Of those that are stored as one the first names the order.
    if (answer.code === 200 && !answer.nth) this.#remember(request, answer.orderId);
    return answer;
  }

  /** Whether the order that we last answered 200 is missing, in words; null when it is there. */
  async lost(db: Queryable): Promise<string | null> {
    const last = this.#last;
    if (!last || monotonicMs() - last.atMs > witnessMaxMs) return null;
    const { orderId, accountId, fingerprint } = last;
    if (await row(db, keptSql, [orderId, accountId, String(fingerprint)])) return null;
    return `order ${orderId} of account ${accountId}, which was answered 200, is not there`;
  }

  #remember({ accountId, recipients }: AcceptRequest, orderId: number): void {
    this.#last = { orderId, accountId, fingerprint: recipients.fingerprint, atMs: monotonicMs() };
  }

  /**
   * All of these orders or none, in one transaction, each written before the next is read; the credit for all of them is
   * taken last. An order in which nobody may be written to is left out, unless that is true of all.
   */
  async acceptAll(
    requests: (tx: Tx) => AsyncIterable<AcceptRequest>,
    kept: (tx: Tx, orderIds: number[]) => Promise<unknown>,
  ): Promise<number[]> {
    const stored: { request: AcceptRequest; answer: AcceptAnswer }[] = [];
    return await this.#plans.run(async () => {
      const orderIds = await transaction(
        this.#db,
        async tx => {
          let price = 0;
          let nobody: StatusCode | null = null;
          for await (const request of requests(tx)) {
            const answer = (await row(tx, acceptSql, this.#parameters(request, true)))!;
            if (answer.code === 452 || answer.code === 469) nobody = answer.code;
            else if (answer.code !== 200) throw new Refusal(answer.code as StatusCode);
            else {
              await copyIn(tx, messagesTarget, messageRows(request, answer));
              price += answer.price;
              stored.push({ request, answer });
            }
          }
          const ids = stored.map(one => one.answer.orderId);
          if (ids.length === 0) throw nobody === 469 ? new Refusal(469, undefined, nobodyConsents) : new Refusal(452);
          await kept(tx, ids);
          await run(tx, takeCreditSql, [stored[0]!.request.accountId, price]).catch(refusedIfGone);
          return ids;
        },
        statementLimits.large,
      );
      for (const { request, answer } of stored) this.#announce(request, answer);
      return orderIds;
    });
  }

  // After the commit, never inside it: a pending NOTIFY serialises all commits.
  #announce(request: AcceptRequest, answer: { code: number; replayed?: boolean }): void {
    if (answer.code === 200 && !answer.replayed && !request.scheduled)
      announceWork(this.#db, request.lane, request.accountId);
  }

  #lineFor(request: AcceptRequest): OrderLine {
    const { recipients, scheduled, idempotency, consentList } = request;
    if (recipients.numbers.length > largeRecipients) return this.#large;
    const plain = recipients.numbers.length === 1 && !recipients.textNos && !scheduled && !idempotency && !consentList;
    return plain ? this.#plain : this.#single;
  }

  async #alone(one: Waiting, copied = false): Promise<void> {
    if (one.request.stamp !== null) return one.resolve({ code: outdated, orderId: 0, replayed: false });
    try {
      const judged = copied
        ? await transaction(this.#db, tx => this.#copied(tx, one.request), statementLimits.large)
        : one.request.smpp !== null
          ? await transaction(this.#db, tx => this.#ofSmpp(tx, one.request))
          : (await row(this.#db, acceptSql, this.#parameters(one.request, false)))!;
      const answer = judged.code === 422 ? await this.#repeated(one.request) : judged;
      this.#announce(one.request, answer);
      one.resolve(answer);
    } catch (error) {
      if (sqlState(error) === creditGone) one.resolve({ code: 402, orderId: 0, replayed: false });
      else one.reject(error);
    }
  }

  /** The body is another one, unless its digest was stored under another setting or key than ours. */
  async #repeated({ accountId, idempotency, submitAt }: AcceptRequest): Promise<AcceptAnswer> {
    const orderId = await findRepeat(this.#db, accountId, idempotency!, submitAt).catch(unlessOther);
    return orderId === null ? { code: 422, orderId: 0, replayed: false } : { code: 200, orderId, replayed: true };
  }

  /** Judged, copied in, paid for: the balance is locked last, so that one-time codes do not wait for a campaign. */
  async #copied(tx: Tx, request: AcceptRequest): Promise<AcceptAnswer> {
    const judged = (await row(tx, acceptSql, this.#parameters(request, true)))!;
    if (judged.code !== 200 || judged.replayed) return judged;
    await copyIn(tx, messagesTarget, messageRows(request, judged));
    await run(tx, takeCreditSql, [request.accountId, judged.price]);
    return judged;
  }

  async #ofSmpp(tx: Tx, request: AcceptRequest): Promise<AcceptAnswer> {
    const answer = (await row(tx, acceptSql, this.#parameters(request, false)))!;
    if (answer.code !== 200) return answer;
    await run(tx, markSmppSql, [answer.orderId, request.accountId, request.smpp]);
    await row(tx, oweFilteredSql, [answer.orderId, request.accountId]);
    return answer;
  }

  async #together(waiting: Waiting[]): Promise<void> {
    // Those of one account side by side: they share a chunk, or an order.
    const { sorted: batch, groups } = groupAlike(waiting);
    const requests = batch.map(one => one.request);
    const words = wordsToSend(this.#db, requests);
    try {
      const answer = (await row(
        this.#db,
        acceptManySql,
        plainColumns(requests, groups, words.payload, this.#closeAfterMs),
      ))!;
      const codes = answer.r_codes;
      const places = placesIn(
        codes.map(code => code === 200),
        groups,
        answer.r_first_order,
      );
      batch.forEach((one, i) => {
        const code = codes[i]!;
        if (!words.sent) this.#announce(one.request, { code });
        one.resolve({ code, orderId: 0, replayed: false, ...places[i] });
      });
    } catch (error) {
      sayAgain(this.#db, words);
      const stored = await this.#storedAnyway(requests, groups, error);
      for (const [i, one] of batch.entries()) {
        const place = stored?.get(i);
        if (place) this.#store(one, place);
        else if (stored) await this.#alone(one);
        else one.reject(new CommitUnknown('the orders may be stored', { cause: error }));
      }
    }
  }

  #store(one: Waiting, place: Place): void {
    this.#announce(one.request, { code: 200 });
    one.resolve({ code: 200, ...place, replayed: false });
  }

  /** null: nobody knows. */
  async #storedAnyway(
    requests: AcceptRequest[],
    groups: number[] | null,
    error: unknown,
  ): Promise<Map<number, Place> | null> {
    if ([creditGone, fencedState].includes(sqlState(error))) return new Map();
    if (!isDecided(error)) return null;
    return storedAlready(this.#db, requests, groups).catch(() => null);
  }

  #parameters(request: AcceptRequest, copied: boolean): unknown[] {
    const { texts, recipients, idempotency, submitAt } = request;
    return [
      request.accountId,
      request.sender,
      request.source,
      recipients.fingerprint,
      request.lane,
      request.consentList,
      request.scheduled,
      submitAt,
      request.sendAt,
      new Date(request.sendAt.getTime() + this.#closeAfterMs),
      new Date(submitAt.getTime() - limits.duplicateWindowMs),
      chunkSize(request),
      texts.map(one => one.text),
      int2s(texts.map(one => encodingCode(one.encoding))),
      int2s(texts.map(one => one.parts)),
      int8s(recipients.numbers),
      recipients.textNos && int4s(recipients.textNos),
      recipients.badAt,
      recipients.badTexts,
      idempotency?.key ?? null,
      idempotency && sealDigest(idempotency.bodyDigest),
      new Date(submitAt.getTime() - limits.idempotencyWindowMs),
      copied,
    ];
  }
}

function unlessOther(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

function refusedIfGone(error: unknown): never {
  throw sqlState(error) === creditGone ? new Refusal(402) : error;
}

/**
 * Whether the server's refusal came from a session that goes on: the statement lost against another, or its data is bad.
 * Then one can look what is stored. Anything else may have come while the orders were being written (a server that is told
 * to stop): nobody knows, as with an answer that was lost.
 */
function isDecided(error: unknown): boolean {
  return /^(22|23|40|42|55)/.test(sqlState(error));
}
