// Stores answers and receipts of carriers: one call, one transaction (sql/flush.sql). A batch is columns, the form in which it is sent.

import { int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { type Queryable, row, sql } from '../db/db.ts';
import { monotonicMs } from '../time/clock.ts';

type Later = {
  account: number;
  lane: number;
  /** 1: retry. 2: may be on the air, its answer is lost. 3: quarantined, because sending it kills dispatchers. */
  kind: 1 | 2 | 3;
  ids: number[];
  attempt: number;
  delay_ms: number;
  /** Kind 2: the carrier they were written to; null = several are possible. */
  carrier: number | null;
  /** Kind 2: whether each message has one part. */
  single: boolean;
  /** Kind 2: when each of `ids` was written, by the monotonic clock; null = unknown. */
  written: (number | null)[];
};

/** What pump, claimer and inbox add between two flushes. */
export class FlushBatch {
  readonly submits = {
    carriers: [] as number[],
    ids: [] as string[],
    messages: [] as number[],
    part: [] as number[],
    parts: [] as number[],
  };
  readonly ends = { messages: [] as number[], statuses: [] as number[], reasons: [] as number[] };
  /** Inbox rows to settle, in the order of their numbers, and the number of receipts in them. */
  readonly inbox = { owner: 0, nos: [] as number[], receipts: 0 };
  readonly later: Later[] = [];
  readonly done = { chunks: [] as number[], tokens: [] as number[] };

  addSubmit(carrier: number, id: string, message: number, part: number, parts: number): void {
    this.submits.carriers.push(carrier);
    this.submits.ids.push(id);
    this.submits.messages.push(message);
    this.submits.part.push(part);
    this.submits.parts.push(parts);
  }

  addEnd(message: number, status: number, reason: number): void {
    this.ends.messages.push(message);
    this.ends.statuses.push(status);
    this.ends.reasons.push(reason);
  }

  get size(): number {
    return (
      this.submits.ids.length +
      this.ends.messages.length +
      this.inbox.nos.length +
      this.later.length +
      this.done.chunks.length
    );
  }

  /** Ended chunks come last: a chunk must not be deleted before everything about it is stored. null: a single item. */
  halves(): [FlushBatch, FlushBatch] | null {
    if (this.size < 2) return null;
    const [one, other] = [new FlushBatch(), new FlushBatch()];
    one.inbox.owner = other.inbox.owner = this.inbox.owner;
    let left = this.size >> 1;
    for (const name of ['submits', 'ends', 'inbox', 'rest', 'done'] as const) {
      const [from, first, second] = [this, one, other].map(batch => batch.#columns(name));
      const before = Math.min(left, from![0]!.length);
      left -= before;
      for (const [i, column] of from!.entries()) {
        first![i]!.push(...column.slice(0, before));
        second![i]!.push(...column.slice(before));
      }
    }
    return [one, other];
  }

  #columns(name: 'submits' | 'ends' | 'inbox' | 'rest' | 'done'): unknown[][] {
    if (name === 'rest') return [this.later];
    if (name === 'inbox') return [this.inbox.nos];
    return Object.values(this[name]);
  }
}

/** `unmatched`: receipts without a message; `mismatched`: those of them whose id is known for another number. */
export type Flushed = { settled: number; unmatched: number; mismatched: number };

const flushSql = sql<Flushed>('flush')`
  select settled, unmatched, mismatched from flush($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

/** `owner`: a dispatcher, 0 = none; `no`: counts its flushes. A repeat with the same number, after a lost answer, does nothing. */
export async function flush(db: Queryable, owner: number, no: number, batch: FlushBatch): Promise<Flushed> {
  const { submits: s, ends: e, inbox, done, later } = batch;
  const result = await row(db, flushSql, [
    owner,
    no,
    int4s(s.carriers),
    texts(s.ids),
    int8s(s.messages),
    int2s(s.part),
    int2s(s.parts),
    int8s(e.messages),
    int2s(e.statuses),
    int2s(e.reasons),
    inbox.owner,
    int8s(inbox.nos),
    int8s(done.chunks),
    int8s(done.tokens),
    later.length ? laterJson(later) : null,
  ]);
  return result!;
}

/** Sends ages instead of times: the database computes the times by its own clock. */
function laterJson(later: Later[]): string {
  const nowMs = monotonicMs();
  const age = (written: number | null) => (written === null ? null : nowMs - written);
  return JSON.stringify(later.map(({ written, ...one }) => ({ ...one, ages_ms: written.map(age) })));
}
