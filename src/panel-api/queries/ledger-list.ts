// Movements of credit with the balance after each: counted back from the present balance over everything newer, in one
// statement and so in one snapshot.
import { type Queryable, row, rows, sql } from '../../db/db.ts';
import { Conditions } from './conditions.ts';

export type LedgerRow = {
  id: number;
  at: Date;
  kind: 'grant' | 'reserve' | 'consume' | 'release';
  sms: number;
  reserved: number;
  amount: string;
  balanceAfter: number;
  orderId: number | null;
  reason: string | null;
  actor: string | null;
};
export type LedgerAsked = {
  kind?: string;
  orderId?: number;
  from?: Date;
  to?: Date;
  byOrder?: boolean;
  before?: number;
};
/** Of all movements of the order, whatever the filter leaves of them. */
export type OrderSums = { change: number; reserved: number; consumed: number; released: number };

export async function ledgerRows(
  db: Queryable,
  accountId: number,
  asked: LedgerAsked,
  most: number,
): Promise<LedgerRow[]> {
  const filter = new Conditions()
    .add('account_id = ?', accountId)
    .add('kind = ?', asked.kind)
    .add('order_id = ?', asked.orderId)
    .add('created_at >= ?', asked.from)
    .add('created_at < ?', asked.to)
    .add('id < ?', asked.before);
  if (isByOrder(asked)) filter.plain("kind in ('grant', 'reserve')");
  const found = await db.query(
    `with page as (
       select id, created_at as at, kind, sms, reserved, amount, order_id as "orderId", reason, actor
       from ledger_entries ${filter.where} order by id desc limit ${filter.place(most)}),
     walk as (
       select l.id, (select b.sms from balances b where b.account_id = $1)
           - coalesce(sum(l.sms) over (order by l.id desc rows between unbounded preceding and 1 preceding), 0) as after
       from ledger_entries l where l.account_id = $1 and l.id >= (select min(id) from page))
     select p.*, w.after::bigint as "balanceAfter" from page p join walk w on w.id = p.id order by p.id desc`,
    filter.values,
  );
  return found.rows as LedgerRow[];
}

// An order reserves once and before anything else happens to it, so its reservation stands for it in the list.
export function isByOrder(asked: LedgerAsked): boolean {
  return Boolean(asked.byOrder) && asked.kind === undefined;
}

const sumsSql = sql<OrderSums & { orderId: number }>('panel ledger sums')`
  select order_id as "orderId", sum(sms)::bigint as change, coalesce(sum(reserved) filter (where kind = 'reserve'), 0)::bigint as reserved,
    coalesce(-sum(reserved) filter (where kind = 'consume'), 0)::bigint as consumed,
    coalesce(-sum(reserved) filter (where kind = 'release'), 0)::bigint as released
  from ledger_entries where account_id = $1 and order_id = any ($2) group by order_id`;

export async function orderSums(
  db: Queryable,
  accountId: number,
  entries: LedgerRow[],
): Promise<Map<number, OrderSums>> {
  const ids = entries.flatMap(one => (one.orderId === null ? [] : [one.orderId]));
  const found = ids.length ? await rows(db, sumsSql, [accountId, ids]) : [];
  return new Map(found.map(({ orderId, ...sums }) => [orderId, sums]));
}

const reservedSql = sql<{ reserved: number }>('panel reserved')`
  select coalesce(sum(reserved), 0)::bigint as reserved from orders
  where account_id = $1 and state in ('sending', 'scheduled')`;

/** Held for messages that have not come to their end. */
export async function reservedCredits(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, reservedSql, [accountId]))!.reserved;
}
