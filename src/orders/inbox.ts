// Receipts between their acknowledgement and their settling: docs/decisions/0009-receipt-inbox.md.
import { booleans, int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { arrayLiteral, type Queryable, row, rows, run, sql } from '../db/db.ts';

/** Final receipts as columns: the same place in all of them for one receipt. */
export class ReceiptColumns {
  readonly carriers: number[] = [];
  readonly ids: string[] = [];
  readonly statuses: number[] = [];
  readonly reasons: number[] = [];
  readonly numbers: number[] = [];
  /** The same was stored before. */
  readonly repeated: boolean[] = [];

  /** Those that are so, and the others. */
  parted(isSo: (carrier: number, id: string) => boolean): [ReceiptColumns, ReceiptColumns] {
    const parts: [ReceiptColumns, ReceiptColumns] = [new ReceiptColumns(), new ReceiptColumns()];
    for (let i = 0; i < this.ids.length; i++) {
      const part = parts[isSo(this.carriers[i]!, this.ids[i]!) ? 0 : 1];
      part.carriers.push(this.carriers[i]!);
      part.ids.push(this.ids[i]!);
      part.statuses.push(this.statuses[i]!);
      part.reasons.push(this.reasons[i]!);
      part.numbers.push(this.numbers[i]!);
      part.repeated.push(this.repeated[i]!);
    }
    return parts;
  }

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

const insertTwoSql = sql('receipt inbox two')`
  insert into receipt_inbox (owner, no, carriers, ids, statuses, reasons, numbers, repeated)
  values ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16) on conflict do nothing`;

export type ReceiptRow = { owner: number; no: number; told: ReceiptColumns };

/** Of two dispatchers, in one commit. May be repeated. */
export async function storeBoth(db: Queryable, one: ReceiptRow, other: ReceiptRow): Promise<void> {
  const values = [one, other].flatMap(({ owner, no, told }) => [owner, no, ...told.values]);
  await run(db, insertTwoSql, values);
}

/** May be repeated under the same number after a lost answer. */
export async function storeReceipts(db: Queryable, owner: number, no: number, told: ReceiptColumns): Promise<void> {
  await run(db, insertSql, [owner, no, ...told.values]);
}

const handedSql = sql<{ no: number; carriers: number[] | null; ids: string | null }>('receipt inbox handed')`
  select i.no, case when h.is_new then i.carriers end as carriers, case when h.is_new then array_to_string(i.ids, ' ') end as ids
  from receipt_inbox i cross join lateral (select i.no <> all ($2::bigint[]) as is_new) h
  where i.owner = $1 and i.no < $3 order by i.no limit 100`;

/**
 * Rows that another dispatcher has put here for this one, under numbers below 0 that count down; of those in `known` only that they are still
 * there. `below`: only such numbers are looked for, because whoever holds an old snapshot keeps all that were ever there in the index.
 */
export async function handedReceipts(db: Queryable, owner: number, known: Iterable<number>, below: number) {
  return (await rows(db, handedSql, [owner, arrayLiteral(known), below])).map(({ no, carriers, ids }) => ({
    no,
    // Ids hold no blank: src/dispatch/links/message-ids.ts.
    told: ids === null ? null : { carriers: carriers!, ids: ids.split(' ') },
  }));
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
