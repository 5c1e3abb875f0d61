// Orders on their way into the database. Plain small ones (one recipient, one text, now) that arrive together are accepted
// together: while one batch is being committed the next gathers, so 32 clients do not pay for 32 commits (accept_many_1).
// All others go one by one (accept_order_1), large ones a few at a time, so that memory stays bounded. What was sent to
// the database and not answered is never repeated: its callers are told 503 and may ask again with an idempotency key.
import { type AccountBelief, OutdatedAccount } from '../accounts/account.ts';
import { arrayLiteral, type Db, isDatabaseError, rows, sql, sqlState } from '../db/db.ts';
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
  /** What was remembered of the account; null when it was read for this very request. */
  believed: AccountBelief | null;
  texts: PreparedText[];
  recipients: Recipients;
  idempotency: IdempotencyKey | null;
};

export type AcceptAnswer = { code: number; orderId: number; replayed: boolean };

const batchMax = 64;
const batchesMax = 1;
const waitingMax = 5_000;
const patienceMs = 1;
const singlesMax = 6;
const largeMax = 2;
const largeRecipients = 1_000;
const creditGone = 'PK402';
const outdated = 0;

const acceptSql = sql<AcceptAnswer>('accept order')`
  select code, order_id as "orderId", replayed from accept_order_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    $14, $15, $16, $17, $18, $19, $20, $21, $22)`;

const acceptManySql = sql<{ code: number; orderId: number }>('accept many')`
  select code, order_id as "orderId" from accept_many_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, $12, $13, $14, $15, $16, $17, $18)`;

type Waiting = { request: AcceptRequest; resolve(answer: AcceptAnswer): void; reject(error: unknown): void };

/** Thrown when so many orders wait already that another would only wait longer: answered 503. */
export class Overloaded extends Error {}

/**
 * Orders that wait for their turn, worked on by at most `atOnce` at a time, up to `together` in one go. Whoever was just
 * answered will most likely ask again at once: a batch waits for those, a millisecond at most, because its fixed cost
 * (400 µs in the database) is ten times that of one more order in it.
 */
class Line {
  readonly #waiting: Waiting[] = [];
  readonly #atOnce: number;
  readonly #together: number;
  readonly #work: (batch: Waiting[]) => Promise<void>;
  #running = 0;
  #planned: NodeJS.Immediate | null = null;
  #expected = 0;
  #patience: NodeJS.Timeout | null = null;

  constructor(atOnce: number, together: number, work: (batch: Waiting[]) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#together = together;
    this.#work = work;
  }

  add(request: AcceptRequest): Promise<AcceptAnswer> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(new Overloaded('too many orders are waiting'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#plan();
    });
  }

  // Not at once: requests read in the same turn of the event loop travel together.
  #plan(): void {
    if (this.#planned || this.#running >= this.#atOnce || this.#waiting.length === 0) return;
    if (this.#waiting.length < this.#expected) {
      this.#patience ??= setTimeout(() => this.#expectNobody(), patienceMs);
      return;
    }
    this.#planned = setImmediate(() => {
      this.#planned = null;
      this.#start();
    });
  }

  #expectNobody(): void {
    this.#expected = 0;
    this.#patience = null;
    this.#plan();
  }

  #start(): void {
    if (this.#patience) clearTimeout(this.#patience);
    this.#patience = null;
    const batch = this.#waiting.splice(0, this.#together);
    this.#running++;
    void this.#work(batch).finally(() => {
      this.#running--;
      this.#expected = this.#together === 1 ? 0 : Math.min(this.#together, batch.length + this.#waiting.length);
      this.#plan();
    });
    this.#plan();
  }
}

export class AcceptQueue {
  readonly #db: Db;
  readonly #closeAfterMs: number;
  readonly #plain = new Line(batchesMax, batchMax, batch => this.#together(batch));
  readonly #single = new Line(singlesMax, 1, batch => this.#alone(batch[0]!));
  readonly #large = new Line(largeMax, 1, batch => this.#alone(batch[0]!));

  constructor(db: Db, closeAfterMs: number) {
    this.#db = db;
    this.#closeAfterMs = closeAfterMs;
  }

  async accept(request: AcceptRequest): Promise<AcceptAnswer> {
    const line = this.#lineFor(request);
    // Only the plain line verifies what was believed of the account.
    if (request.believed && line !== this.#plain) throw new OutdatedAccount();
    const answer = await line.add(request);
    if (answer.code === outdated) throw new OutdatedAccount();
    // After the commit, never inside it: a pending NOTIFY serialises all commits.
    if (answer.code === 200 && !answer.replayed && !request.scheduled)
      announceWork(this.#db, request.lane, request.accountId);
    return answer;
  }

  #lineFor(request: AcceptRequest): Line {
    const { recipients, scheduled, idempotency, consentList } = request;
    if (recipients.numbers.length > largeRecipients) return this.#large;
    const plain = recipients.numbers.length === 1 && !recipients.textNos && !scheduled && !idempotency && !consentList;
    return plain ? this.#plain : this.#single;
  }

  async #alone(one: Waiting): Promise<void> {
    if (one.request.believed) return one.resolve({ code: outdated, orderId: 0, replayed: false });
    try {
      one.resolve((await rows(this.#db, acceptSql, this.#parameters(one.request)))[0]!);
    } catch (error) {
      if (sqlState(error) === creditGone) one.resolve({ code: 402, orderId: 0, replayed: false });
      else one.reject(error);
    }
  }

  async #together(batch: Waiting[]): Promise<void> {
    try {
      const answers = await rows(this.#db, acceptManySql, this.#manyParameters(batch.map(one => one.request)));
      batch.forEach((one, i) => void one.resolve({ ...answers[i]!, replayed: false }));
    } catch (error) {
      // A definite refusal by the server means nothing was stored: somebody's credit does not suffice for all of their
      // orders, and the order of arrival decides. A lost answer means nobody knows.
      if (!isDatabaseError(error)) for (const one of batch) one.reject(error);
      else for (const one of batch) await this.#alone(one);
    }
  }

  #manyParameters(requests: AcceptRequest[]): unknown[] {
    const submitAt = requests[0]!.submitAt;
    const callers = new Callers();
    const callerNos = requests.map(one => callers.numberOf(one));
    return [
      ...callers.parameters(),
      `{${twinLocks(requests).join(',')}}`,
      arrayLiteral(callerNos),
      requests.map(one => one.source),
      `{${requests.map(one => one.recipients.fingerprint).join(',')}}`,
      requests.map(one => one.texts[0]!.text),
      arrayLiteral(requests.map(one => encodingCode(one.texts[0]!.encoding))),
      arrayLiteral(requests.map(one => one.texts[0]!.parts)),
      arrayLiteral(requests.map(one => one.recipients.numbers[0]!)),
      submitAt,
      new Date(submitAt.getTime() + this.#closeAfterMs),
      new Date(submitAt.getTime() - limits.duplicateWindowMs),
    ];
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

/** One lock for each pair of account and fingerprint, sorted, so that two batches cannot wait for one another. */
function twinLocks(requests: AcceptRequest[]): bigint[] {
  const names = new Set(requests.map(one => BigInt(one.recipients.fingerprint) ^ BigInt(one.accountId)));
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}

/** Who sends, each named once in a batch, counted from 1. */
class Callers {
  readonly #list: AcceptRequest[] = [];

  numberOf(request: AcceptRequest): number {
    const { believed, accountId, sender } = request;
    // What is believed of an account is one object for as long as it is believed.
    const known = this.#list.findIndex(
      one => one.believed === believed && one.accountId === accountId && one.sender === sender,
    );
    return known < 0 ? this.#list.push(request) : known + 1;
  }

  parameters(): unknown[] {
    const list = this.#list;
    return [
      arrayLiteral(list.map(one => one.accountId)),
      list.map(one => one.sender),
      list.map(one => one.believed?.key ?? null),
      list.map(one => one.believed?.hashDigest ?? null),
      list.map(one => one.believed?.mode ?? null),
      list.map(one => one.believed?.abroad ?? null),
      // As PostgreSQL prints a text[]: canonical addresses need no quotes.
      list.map(one => one.believed && `{${one.believed.ips.join(',')}}`),
    ];
  }
}

/** On the paced lane a chunk is at most a second's worth, so that a one-time code waits no longer than that behind it. */
export function chunkSize(request: { lane: number; rate: number }): number {
  return request.lane === 1 ? limits.chunkMessages : Math.max(10, Math.min(limits.chunkMessages, request.rate));
}
