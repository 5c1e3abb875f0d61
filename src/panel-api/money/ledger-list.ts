// Movements of credit with the balance after each: a checkpoint plus the entries since (src/balance/checkpoints.ts), in one
// statement and so in one snapshot.
import { type Queryable, row, rows, sql } from '../../db/db.ts';
import { Conditions } from '../queries/conditions.ts';

export type LedgerRow = {
  id: number;
  at: Date;
  kind: 'grant' | 'reserve' | 'consume' | 'release' | 'correct';
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
/** Over all movements of the order, whatever the filter leaves of them. */
export type OrderSums = { change: number; reserved: number; consumed: number; released: number };

// Ids nearly grow with time: clocks of two hosts or a long transaction reorder them by less than a day.
const olderPoint = `select k.through_id from ledger_checkpoints k where k.account_id = $1 and k.at < ?::timestamptz - interval '1 day'
  order by k.at desc limit 1`;
const newerPoint = `select k.through_id from ledger_checkpoints k where k.account_id = $1 and k.at > ?::timestamptz + interval '1 day'
  order by k.at limit 1`;

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
    .add(`created_at >= ? and id > coalesce((${olderPoint}), 0)`, asked.from)
    .add(`created_at < ? and id <= coalesce((${newerPoint}), ${Number.MAX_SAFE_INTEGER})`, asked.to)
    .add('id < ?', asked.before);
  if (isByOrder(asked)) filter.plain("kind in ('grant', 'reserve')");
  const found = await db.query(
    `with page as materialized (
       select id, created_at as at, kind, sms, reserved, amount, order_id as "orderId", reason, actor
       from ledger_entries ${filter.where} order by id desc limit ${filter.place(most)}),
     -- From which checkpoint on each is summed up; those with the same one together.
     spans as (
       select coalesce(c.through_id, 0) as after_id, coalesce(max(c.sms), 0) as sms, max(p.id) as to_id
       from page p left join lateral (
         select k.through_id, k.sms from ledger_checkpoints k where k.account_id = $1 and k.through_id <= p.id
         order by k.through_id desc limit 1) c on true
       group by c.through_id),
     walk as (
       select e.id, s.sms + sum(e.sms) over (partition by s.after_id order by e.id) as after
       from spans s cross join lateral (
         select s.after_id as id, 0::bigint as sms where s.after_id > 0
         union all
         select l.id, l.sms from ledger_entries l where l.account_id = $1 and l.id > s.after_id and l.id <= s.to_id) e)
     select p.*, w.after::bigint as "balanceAfter" from page p join walk w on w.id = p.id order by p.id desc`,
    filter.values,
  );
  return found.rows as LedgerRow[];
}

// An order reserves once and first, so its reservation represents it in the list.
export function isByOrder(asked: LedgerAsked): boolean {
  return Boolean(asked.byOrder) && asked.kind === undefined;
}

// Messages delivered late were released and charged again: they count as used, not as released.
const sumsSql = sql<OrderSums & { orderId: number }>('panel ledger sums')`
  select order_id as "orderId", sum(sms)::bigint as change, coalesce(sum(reserved) filter (where kind = 'reserve'), 0)::bigint as reserved,
    coalesce(-sum(reserved) filter (where kind = 'consume'), 0)::bigint + coalesce(-sum(sms) filter (where kind = 'correct'), 0)::bigint as consumed,
    coalesce(-sum(reserved) filter (where kind = 'release'), 0)::bigint - coalesce(-sum(sms) filter (where kind = 'correct'), 0)::bigint as released
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
  select coalesce(sum(reserved), 0)::bigint as reserved from open_orders($1)`;

/** Reserved for messages that have not ended. */
export async function reservedCredits(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, reservedSql, [accountId]))!.reserved;
}
