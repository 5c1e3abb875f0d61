// Receipts that match nothing here because their message is in another cell: a carrier sends a receipt over any of its binds. They
// stay stored where they arrived until another cell has settled them; told twice they do no harm.
import { arrayLiteral, type Queryable, row, rows, run, sql } from '../db/db.ts';

type ForeignReceipt = {
  id: number;
  carrierId: number;
  smscId: string;
  status: number;
  reason: number;
  /** 0: the carrier did not say. */
  number: number;
  /** Ours have had their time to be answered: whoever does not know it now does not at all. */
  ripe: boolean;
};

const batch = 2_000;
/** The answer of a submit may be stored after its receipt came. */
const ripeMs = 10_000;

const unmatchedSql = sql<ForeignReceipt>('receipts unmatched')`
  select id, carrier_id as "carrierId", smsc_id as "smscId", status, reason, coalesce(number, 0) as number,
    received_at < now() - $3 * interval '1 millisecond' as ripe
  from receipts where id > $1 and not offered order by id limit $2`;
const takeSql = sql<{ taken: number[] }>('receipts take foreign')`
  select take_foreign_receipts($1, $2, $3, $4, $5) as taken`;
const dropSql = sql('receipts settled elsewhere')`delete from receipts where id = any ($1)`;
const offeredSql = sql('receipts offered')`update receipts set offered = true where id = any ($1)`;

/** The oldest behind that one that not every cell was asked about. */
export function unmatchedReceipts(db: Queryable, after: number): Promise<ForeignReceipt[]> {
  return rows(db, unmatchedSql, [after, batch, ripeMs]);
}

/** Those that are this database's own; they are settled then. */
export async function takeForeignReceipts(db: Queryable, given: ForeignReceipt[]): Promise<ForeignReceipt[]> {
  const columns = [
    given.map(one => one.carrierId),
    given.map(one => one.smscId),
    given.map(one => one.status),
    given.map(one => one.reason),
    given.map(one => one.number),
  ];
  const { taken } = (await row(db, takeSql, columns))!;
  return taken.map(place => given[place - 1]!);
}

export async function dropReceipts(db: Queryable, ids: number[]): Promise<void> {
  if (ids.length > 0) await run(db, dropSql, [arrayLiteral(ids)]);
}

export async function receiptsOffered(db: Queryable, ids: number[]): Promise<void> {
  if (ids.length > 0) await run(db, offeredSql, [arrayLiteral(ids)]);
}
