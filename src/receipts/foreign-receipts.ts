// Receipts whose message is in another cell, because a carrier sends a receipt over any of its binds. They stay stored where they
// arrived until another cell has settled them; settling a receipt twice changes nothing.
import { type Queryable, row, rows, runOf, sql } from '../db/db.ts';

type ForeignReceipt = {
  id: number;
  carrierId: number;
  smscId: string;
  status: number;
  reason: number;
  /** 0: the carrier did not say. */
  number: number;
  /** Old enough that its submit would be stored by now: a cell that does not know it now never will. */
  mature: boolean;
};

const batch = 2_000;
/** The answer of a submit may be stored after its receipt came. */
const matureMs = 10_000;

const unmatchedSql = sql<ForeignReceipt>('receipts unmatched')`
  select id, carrier_id as "carrierId", smsc_id as "smscId", status, reason, coalesce(number, 0) as number,
    received_at < now() - $3 * interval '1 millisecond' as mature
  from receipts where id > $1 and not offered order by id limit $2`;
const settleSql = sql<{ settled: number[] }>('receipts take foreign')`
  select take_foreign_receipts($1, $2, $3, $4, $5) as settled`;
export const dropReceipts = runOf<[ids: number[]]>('receipts settled elsewhere')`
  delete from receipts where id = any ($1)`;
export const receiptsOffered = runOf<[ids: number[]]>('receipts offered')`
  update receipts set offered = true where id = any ($1)`;

/** The oldest receipts after this id that were not offered to every cell yet. */
export function unmatchedReceipts(db: Queryable, after: number): Promise<ForeignReceipt[]> {
  return rows(db, unmatchedSql, [after, batch, matureMs]);
}

/** Settles the offered receipts that belong to this database, and returns them. */
export async function takeForeignReceipts(db: Queryable, offered: ForeignReceipt[]): Promise<ForeignReceipt[]> {
  const columns = (['carrierId', 'smscId', 'status', 'reason', 'number'] as const).map(name =>
    offered.map(one => one[name]),
  );
  const { settled } = (await row(db, settleSql, columns))!;
  return settled.map(position => offered[position - 1]!);
}
