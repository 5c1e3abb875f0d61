// Small orders that arrive together are committed together: while one transaction is under way, the next orders gather
// and then travel as one flight (BEGIN, a call each, COMMIT, pipelined), so 32 clients do not pay for 32 commits. Large
// orders go alone, a few at a time, so that memory stays bounded. A transaction whose COMMIT answer is lost is never
// repeated: its callers are told 503 and may ask again with an idempotency key.
import { arrayLiteral, CommitUnknown, type Connection, type Db, openPool, rows, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import type { PreparedText } from '../text/prepare.ts';
import { announceWork } from './announce.ts';
import type { IdempotencyKey } from './draft.ts';
import { encodingCode } from './encodings.ts';
import type { Recipients } from './recipients.ts';

export type AcceptRequest = {
  accountId: number;
  sender: string;
  lane: 0 | 1;
  consentList: 'BIREYSEL' | 'TACIR' | null;
  source: string;
  submitAt: Date;
  sendAt: Date;
  scheduled: boolean;
  rate: number;
  texts: PreparedText[];
  recipients: Recipients;
  idempotency: IdempotencyKey | null;
};

export type AcceptAnswer = { code: number; orderId: number; replayed: boolean };

const smallMax = 100;
const flightMax = 64;
const flightsMax = 2;
const waitingMax = 5_000;
const largeMax = 2;

const acceptSql = sql<AcceptAnswer>('accept order')`
  select code, order_id as "orderId", replayed from accept_order_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    $14, $15, $16, $17, $18, $19, $20, $21, $22)`;

type Waiting = { request: AcceptRequest; resolve(answer: AcceptAnswer): void; reject(error: unknown): void };

/** Thrown when so many orders wait already that another would only wait longer: answered 503. */
export class Overloaded extends Error {}

export class AcceptQueue {
  readonly #db: Db;
  readonly #flights: Db;
  readonly #closeAfterMs: number;
  readonly #waiting: Waiting[] = [];
  readonly #large: Waiting[] = [];
  #flying = 0;
  #largeRunning = 0;
  #planned = false;

  constructor(db: Db, connection: Connection, closeAfterMs: number, onError: (error: Error) => void) {
    this.#db = db;
    this.#flights = openPool(connection, { max: flightsMax, name: 'peyk accept', onError, pipeline: true });
    this.#closeAfterMs = closeAfterMs;
  }

  async accept(request: AcceptRequest): Promise<AcceptAnswer> {
    const small = request.recipients.numbers.length <= smallMax;
    const answer = await new Promise<AcceptAnswer>((resolve, reject) => {
      const queue = small ? this.#waiting : this.#large;
      if (queue.length >= waitingMax) return reject(new Overloaded('too many orders are waiting'));
      queue.push({ request, resolve, reject });
      if (small) this.#plan();
      else void this.#nextLarge();
    });
    // After the commit, never inside it: a pending NOTIFY serialises all commits.
    if (answer.code === 200 && !answer.replayed && !request.scheduled)
      announceWork(this.#db, request.lane, request.accountId);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#flights.end();
  }

  async #nextLarge(): Promise<void> {
    if (this.#largeRunning >= largeMax) return;
    const one = this.#large.shift();
    if (!one) return;
    this.#largeRunning++;
    try {
      one.resolve((await rows(this.#db, acceptSql, this.#parameters(one.request)))[0]!);
    } catch (error) {
      one.reject(error);
    }
    this.#largeRunning--;
    void this.#nextLarge();
  }

  #plan(): void {
    if (this.#planned || this.#flying >= flightsMax || this.#waiting.length === 0) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      const batch = this.#waiting.splice(0, flightMax);
      if (batch.length === 0) return;
      this.#flying++;
      void this.#fly(batch).finally(() => {
        this.#flying--;
        this.#plan();
      });
      this.#plan();
    });
  }

  async #fly(batch: Waiting[]): Promise<void> {
    if (batch.length === 1) return this.#alone(batch[0]!);
    try {
      const answers = await this.#together(batch);
      batch.forEach((one, i) => void one.resolve(answers[i]!));
    } catch (error) {
      if (error instanceof CommitUnknown) for (const one of batch) one.reject(error);
      // One order broke the flight and it was rolled back as a whole: each by itself, so that only the culprit fails.
      else for (const one of batch) await this.#alone(one);
    }
  }

  async #alone(one: Waiting): Promise<void> {
    try {
      one.resolve((await rows(this.#flights, acceptSql, this.#parameters(one.request)))[0]!);
    } catch (error) {
      one.reject(error);
    }
  }

  async #together(batch: Waiting[]): Promise<AcceptAnswer[]> {
    const client = await this.#flights.connect();
    let broken: Error | undefined;
    try {
      const begun = client.query('begin');
      const calls = batch.map(one => rows(client, acceptSql, this.#parameters(one.request)));
      const committed = client.query('commit');
      const results = await Promise.allSettled([begun, ...calls, committed]);
      const end = results.at(-1)!;
      if (end.status === 'rejected') {
        broken = new CommitUnknown('the answer to COMMIT was lost', { cause: end.reason });
        throw broken;
      }
      const failed = results.find(one => one.status === 'rejected');
      if (failed) throw failed.reason;
      return (await Promise.all(calls)).map(one => one[0]!);
    } finally {
      client.release(broken);
    }
  }

  #parameters(request: AcceptRequest): unknown[] {
    const { texts, recipients, idempotency, submitAt } = request;
    return [
      request.accountId,
      request.sender,
      request.lane,
      request.consentList,
      request.source,
      submitAt,
      request.sendAt,
      new Date(request.sendAt.getTime() + this.#closeAfterMs),
      request.scheduled,
      recipients.fingerprint,
      new Date(submitAt.getTime() - limits.duplicateWindowMs),
      texts.map(one => one.text),
      arrayLiteral(texts.map(one => encodingCode(one.encoding))),
      arrayLiteral(texts.map(one => one.parts)),
      arrayLiteral(recipients.numbers),
      recipients.textNos && arrayLiteral(recipients.textNos),
      recipients.badAt,
      recipients.badTexts,
      chunkSize(request),
      idempotency?.key ?? null,
      idempotency?.bodyDigest ?? null,
      new Date(submitAt.getTime() - limits.idempotencyWindowMs),
    ];
  }
}

/** On the paced lane a chunk is at most a second's worth, so that a one-time code waits no longer than that behind it. */
export function chunkSize(request: { lane: number; rate: number }): number {
  return request.lane === 1 ? limits.chunkMessages : Math.max(10, Math.min(limits.chunkMessages, request.rate));
}
