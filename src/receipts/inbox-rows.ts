// Receipts between their acknowledgement and their settling: docs/decisions/0009-receipt-inbox.md.
import { int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { type Db, type Queryable, row, rows, run, sql, transaction } from '../db/db.ts';
import { isPoison, setAside } from '../db/poison.ts';
import type { Log } from '../log.ts';
import { setAsideTotal } from '../metrics/metrics.ts';

/** Final receipts as columns: a receipt has the same index in each. */
export class ReceiptColumns {
  readonly carriers: number[] = [];
  readonly ids: string[] = [];
  readonly statuses: number[] = [];
  readonly reasons: number[] = [];
  readonly numbers: number[] = [];
  /** The message of each receipt; 0: not known yet, to be matched. */
  readonly messages: number[] = [];

  halves(): [ReceiptColumns, ReceiptColumns] {
    const half = this.ids.length >> 1;
    const part = (from: number, to: number) => {
      const columns = Object.entries(this).map(([name, values]) => [name, values.slice(from, to)]);
      return Object.assign(new ReceiptColumns(), Object.fromEntries(columns));
    };
    return [part(0, half), part(half, this.ids.length)];
  }

  /** As parameters of a statement. */
  get values(): unknown[] {
    return [
      int4s(this.carriers),
      texts(this.ids),
      int2s(this.statuses),
      int2s(this.reasons),
      int8s(this.numbers),
      int8s(this.messages),
    ];
  }
}

const insertSql = sql('receipt inbox')`
  insert into receipt_inbox (owner, no, carriers, ids, statuses, reasons, numbers, messages) values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict do nothing`;

/** A repeat with the same number, after a lost answer, does nothing. */
export async function storeReceipts(db: Queryable, owner: number, no: number, receipts: ReceiptColumns): Promise<void> {
  await run(db, insertSql, [owner, no, ...receipts.values]);
}

type LeftRow = { owner: number; no: number };
const leftSql = sql<LeftRow>('receipt inbox left')`
  select i.owner, i.no from receipt_inbox i where i.owner <> all (array(select d.id from dispatchers d))
  order by i.owner, i.no limit 100`;
const settleSql = sql<{ settled: number }>('receipt inbox settle')`select settle_inbox($1, $2) as settled`;

/** Settles receipts that a dead process had acknowledged; returns how many there were. */
export async function settleLeftReceipts(db: Db, log: Log): Promise<number> {
  let all = 0;
  for (const { owner, no } of await rows(db, leftSql)) {
    try {
      all += (await row(db, settleSql, [owner, no]))!.settled;
    } catch (error) {
      if (!isPoison(error)) throw error;
      all += await halveRow(db, log, { owner, no }, error as Error);
    }
  }
  return all;
}

type TakenRow = Omit<ReceiptColumns, 'ids' | 'halves' | 'values'> & { ids: string };
const takeRowSql = sql<TakenRow>('receipt inbox take')`delete from receipt_inbox where owner = $1 and no = $2
  returning carriers, array_to_json(ids)::text as ids, statuses, reasons, numbers, messages`;

/**
 * Splits a row that the database refuses to settle into two, which are settled like rows of a dead process; a single receipt is set aside.
 * Returns how many receipts it holds.
 */
export async function halveRow(db: Db, log: Log, { owner, no }: LeftRow, error: Error): Promise<number> {
  return await transaction(db, async tx => {
    const found = await row(tx, takeRowSql, [owner, no]);
    if (!found) return 0;
    const receipts = Object.assign(new ReceiptColumns(), { ...found, ids: JSON.parse(found.ids) as string[] });
    if (receipts.ids.length === 1) {
      await setAside(tx, 'receipt', receipts, error);
      setAsideTotal.inc();
      log.error({ what: 'receipt', error: error.message }, 'item set aside: the database refuses it');
      return 1;
    }
    for (const half of receipts.halves()) await storeReceipts(tx, ...strayRow(), half);
    return receipts.ids.length;
  });
}

/** Key of a row that belongs to no dispatcher: ids of dispatchers are positive. */
export function strayRow(): [owner: number, no: number] {
  return [-Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER), 1];
}
