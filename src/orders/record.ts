// What carriers said, stored: one call, one transaction (record_3). A batch is columns, because that is how it travels.
import { monotonicMs } from '../clock.ts';
import { int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { type Queryable, row, sql } from '../db/db.ts';
import { FreshColumns } from './fresh-columns.ts';
import { ReceiptColumns } from './inbox.ts';

export type Later = {
  account: number;
  lane: number;
  /** 1: to be tried again; 2: it may be on the air; 3: nobody can send it. */
  kind: 1 | 2 | 3;
  ids: number[];
  attempt: number;
  delay_ms: number;
  /** Of kind 2: over which carrier they were written, if only one can be meant, … */
  carrier: number | null;
  /** … and when each of `ids` was, by the monotonic clock; null = unknown. */
  written: (number | null)[];
};

export class RecordBatch {
  /** Entered at once. */
  readonly submitted = {
    carriers: [] as number[],
    ids: [] as string[],
    accounts: [] as number[],
    messages: [] as number[],
    part: [] as number[],
    parts: [] as number[],
  };
  /** Remembered by whoever stores this. */
  readonly fresh = new FreshColumns();
  readonly outcomes = {
    accounts: [] as number[],
    messages: [] as number[],
    statuses: [] as number[],
    reasons: [] as number[],
  };
  readonly receipts = new ReceiptColumns();
  /** Rows of the inbox to settle, in the order of their numbers, and how many receipts they hold. */
  readonly inbox = { owner: 0, nos: [] as number[], receipts: 0 };
  readonly done = { chunks: [] as number[], tokens: [] as number[] };
  readonly later: Later[] = [];

  /** A submit that is entered at once. */
  enter(carrier: number, id: string, account: number, message: number, part: number, parts: number): void {
    this.submitted.carriers.push(carrier);
    this.submitted.ids.push(id);
    this.submitted.accounts.push(account);
    this.submitted.messages.push(message);
    this.submitted.part.push(part);
    this.submitted.parts.push(parts);
  }

  get size(): number {
    return (
      this.submitted.ids.length +
      this.fresh.ids.length +
      this.outcomes.messages.length +
      this.receipts.ids.length +
      this.done.chunks.length +
      this.later.length
    );
  }
}

/** `isForgotten`: no submit that is remembered may be relied on. `lastReceipt`: the newest that fits nothing, when there may be a new one. */
export type Recorded = { settled: number; unmatched: number; isForgotten: boolean; lastReceipt: number | null };

const recordSql = sql<Recorded>('record')`
  select settled, unmatched, is_forgotten as "isForgotten", last_receipt as "lastReceipt" from record_3($1, $2, row($3, $4, $5, $6, $7, $8)::submit_columns,
    row($26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38)::fresh_columns, row($9, $10, $11, $12)::message_ends, take_inbox_1($24, $25, row($13, $14, $15, $16, $17, $18)::receipt_columns),
    row($19, $20)::chunk_leases, $21, $22, $23)`;

const matchSql = sql<{ matched: number }>('record match')`select match_receipts_1($1) as matched`;
const matchNewest = 5_000;

/** Settles receipts whose answer was stored by another process at the same moment; returns how many. */
export async function matchReceipts(db: Queryable): Promise<number> {
  return (await row(db, matchSql, [matchNewest]))!.matched;
}

const settleSql = sql<{ settled: number }>('record settle')`select settle_1($1, $2, $3, $4) as settled`;

/** Brings messages of one account to their end, inside the caller's transaction. */
export async function settleMessages(
  db: Queryable,
  accountId: number,
  ends: { id: number; status: number; reason: number }[],
): Promise<void> {
  if (ends.length === 0) return;
  await row(db, settleSql, [
    int8s(ends.map(() => accountId)),
    int8s(ends.map(one => one.id)),
    int2s(ends.map(one => one.status)),
    int2s(ends.map(one => one.reason)),
  ]);
}

/** Times as ages at this moment: the database knows them by its own clock. */
function laterJson(later: Later[]): string {
  const nowMs = monotonicMs();
  const age = (written: number | null) => (written === null ? null : nowMs - written);
  return JSON.stringify(later.map(({ written, ...one }) => ({ ...one, ages_ms: written.map(age) })));
}

export async function storeRecords(
  db: Queryable,
  owner: number,
  flush: number,
  batch: RecordBatch,
  closing: { after: Date; slackMs: number },
): Promise<Recorded> {
  const { submitted: s, outcomes: o, receipts: r, inbox, done: d, later, fresh } = batch;
  const result = await row(db, recordSql, [
    owner,
    flush,
    int4s(s.carriers),
    texts(s.ids),
    int8s(s.accounts),
    int8s(s.messages),
    int2s(s.part),
    int2s(s.parts),
    int8s(o.accounts),
    int8s(o.messages),
    int2s(o.statuses),
    int2s(o.reasons),
    ...r.values,
    int8s(d.chunks),
    int8s(d.tokens),
    closing.after,
    `${closing.slackMs} milliseconds`,
    later.length ? laterJson(later) : null,
    inbox.owner,
    int8s(inbox.nos),
    ...fresh.values,
  ]);
  return result!;
}
