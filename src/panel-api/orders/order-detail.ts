// The counts of an order's page: by operator, status and reason, by second of the end, by text. Each is one walk over the
// order's range of the primary key.

import { type Queryable, rows, rowsOf, type Sql, sql } from '../../db/db.ts';
import { isFiltered } from '../../orders/reasons.ts';
import { shownText } from '../../sealing/content.ts';

export type Range = { accountId: number; first: number; end: number };

type Breakdown = {
  block: number | null;
  status: number;
  reason: number;
  submitted: boolean;
  /** Of the newest submit. */
  submittedAt: Date | null;
  count: number;
};
const breakdownSql = sql<Breakdown>('panel order breakdown')`
  select m.number / 100000 as block, m.status, m.reason, s.message_id is not null and m.status = 110 as submitted,
    max(s.at) as "submittedAt", count(*) as count
  from messages m left join (
    select x.message_id, max(x.submitted_at) as at from submits x where x.message_id >= $2 and x.message_id < $3 group by 1) s
    on s.message_id = m.id
  where m.account_id = $1 and m.id >= $2 and m.id < $3 group by 1, 2, 3, 4`;

export function orderBreakdown(db: Queryable, range: Range) {
  return rows(db, breakdownSql, [range.accountId, range.first, range.end]);
}

const endsSql: Sql<{ second: number; delivered: number; undelivered: number }> = {
  name: 'panel order ends',
  text: `select greatest(0, floor(extract(epoch from final_at - $4::timestamptz)))::bigint as second,
      count(*) filter (where status = 111) as delivered, count(*) filter (where status = 112) as undelivered
    from messages where account_id = $1 and id >= $2 and id < $3 and status <> 110 and not (${isFiltered('reason')})
    group by 1 order by 1`,
};

/** Messages that ended at a carrier, by whole seconds after `sendAt`. */
export function orderEnds(db: Queryable, range: Range, sendAt: Date) {
  return rows(db, endsSql, [range.accountId, range.first, range.end, sendAt]);
}

// One walk counts all shown texts; one per text would be twenty.
const textsSql = sql<{ no: number; text: string; encoding: number; parts: number; recipients: number }>(
  'panel order texts',
)`
  with counts as materialized (select m.text_no, count(*) as recipients from messages m
    where m.account_id = $1 and m.id >= $2 and m.id < $3 and m.text_no <= $5 group by 1)
  select t.no, t.text, t.encoding, t.parts, coalesce(c.recipients, 0) as recipients
  from order_texts t left join counts c on c.text_no = t.no
  where t.order_id = $4 and t.account_id = $1 and t.no <= $5 order by t.no`;

export async function orderTexts(db: Queryable, range: Range, orderId: number, most: number) {
  const found = await rows(db, textsSql, [range.accountId, range.first, range.end, orderId, most]);
  return found.map(one => ({ ...one, text: shownText(one.text) }));
}

export const orderLedger = rowsOf<
  { at: Date; kind: string; sms: number; reserved: number },
  [accountId: number, orderId: number]
>('panel order ledger')`
  select min(created_at) as at, kind, sum(sms)::bigint as sms, sum(reserved)::bigint as reserved from ledger_entries
  where account_id = $1 and order_id = $2 group by kind order by 1`;

export const orderWebhook = rowsOf<{ state: string; events: number }, [accountId: number, orderId: number]>(
  'panel order webhook',
)`
  select state, sum(events)::bigint as events from webhook_deliveries
  where account_id = any (array(select e.account_id from webhook_endpoints e where e.owner_id = $1)) and order_id = $2
    and state <> 'delivered' group by state`;

const cancelSql = sql<{ actor: string }>('panel order cancelled by')`
  select actor from audit_entries where account_id = $1 and action = 'order.cancel'
    and (detail->>'orderId')::bigint = $2 order by id desc limit 1`;

export async function cancelledBy(db: Queryable, accountId: number, orderId: number): Promise<string | null> {
  return (await rows(db, cancelSql, [accountId, orderId]))[0]?.actor ?? null;
}

const reuseSql = sql<{ number: number }>('panel order numbers')`
  select distinct number from messages where account_id = $1 and id >= $2 and id < $3 and number is not null
    and ($4 = 'all' or (status = 112 and reason not in (2, 3))) limit 50000`;

/** Recipients to write to again, without those who are blacklisted or have not consented. */
export function orderNumbers(db: Queryable, range: Range, which: 'all' | 'undelivered') {
  return rows(db, reuseSql, [range.accountId, range.first, range.end, which]);
}
