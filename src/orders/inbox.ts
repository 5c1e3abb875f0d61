// Receipts between their acknowledgement and their settling: docs/decisions/0009-receipt-inbox.md.
import { booleans, int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { type Queryable, row, run, sql } from '../db/db.ts';

/** Final receipts as columns: the same place in all of them for one receipt. */
export class ReceiptColumns {
  readonly carriers: number[] = [];
  readonly ids: string[] = [];
  readonly statuses: number[] = [];
  readonly reasons: number[] = [];
  readonly numbers: number[] = [];
  /** The same was stored before. */
  readonly repeated: boolean[] = [];

  /** As parameters of a statement. */
  get values(): unknown[] {
    return [
      int4s(this.carriers),
      texts(this.ids),
      int2s(this.statuses),
      int2s(this.reasons),
      int8s(this.numbers),
      booleans(this.repeated),
    ];
  }
}

const insertSql = sql('receipt inbox')`
  insert into receipt_inbox (owner, no, carriers, ids, statuses, reasons, numbers, repeated) values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict do nothing`;

/** May be repeated under the same number after a lost answer. */
export async function storeReceipts(db: Queryable, owner: number, no: number, told: ReceiptColumns): Promise<void> {
  await run(db, insertSql, [owner, no, ...told.values]);
}

const settleSql = sql<{ settled: number }>('receipt inbox settle')`select settle_inbox_1() as settled`;

/** Settles what dispatchers that are gone had acknowledged; returns how many receipts there were. */
export async function settleLeftReceipts(db: Queryable): Promise<number> {
  for (let all = 0; ; ) {
    const { settled } = (await row(db, settleSql))!;
    all += settled;
    if (settled === 0) return all;
  }
}
