// Invariants of the stored data, as queries that return violations. All run in one snapshot, so traffic may continue meanwhile.
// `peyk audit` shows the result, and tests end with it.
import { type Db, snapshot, type Tx } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';

type Finding = { invariant: string; subject: string; detail: string };

type Invariant = { name: string; sql: string };

// Each query returns (subject, detail); the first 100 rows are shown.
const invariants: Invariant[] = [
  {
    name: 'the sum of ledger entries is the balance',
    sql: `select 'account ' || b.account_id, format('balance %s / %s, entries %s / %s', b.sms, b.amount, coalesce(l.sms, 0), coalesce(l.amount, 0))
      from balances b left join (select account_id, sum(sms) as sms, sum(amount) as amount from ledger_entries group by 1) l
        on l.account_id = b.account_id
      where b.sms <> coalesce(l.sms, 0) or b.amount <> coalesce(l.amount, 0)`,
  },
  {
    name: 'a checkpoint is the sum of the entries before it',
    sql: `select 'account ' || c.account_id, format('entry %s: %s, entries %s', c.through_id, c.sms, c.entries) from (
        select k.account_id, k.through_id, k.sms, l.entries from ledger_checkpoints k join (
          select account_id, id, sum(sms) over (partition by account_id order by id) as entries from ledger_entries) l
          on l.account_id = k.account_id and l.id = k.through_id) c
      where c.sms <> c.entries`,
  },
  {
    name: 'every account has a balance',
    sql: `select 'account ' || a.id, 'no balance row' from accounts a where not exists (select 1 from balances b where b.account_id = a.id)
      and not exists (select 1 from account_cells c where c.account_id = a.id and c.cell <> 0)`,
  },
  {
    name: 'what an order reserves is what its entries reserve',
    sql: `select 'order ' || o.id, format('reserved %s, entries %s', o.reserved, coalesce(l.reserved, 0))
      from orders o left join (select account_id, order_id, sum(reserved) as reserved from ledger_entries where order_id is not null group by 1, 2) l
        on l.order_id = o.id and l.account_id = o.account_id
      where o.reserved <> coalesce(l.reserved, 0)`,
  },
  {
    name: 'what an order consumed is what its entries consumed',
    sql: `select 'order ' || o.id, format('consumed %s, entries %s', o.consumed, coalesce(l.consumed, 0))
      from orders o left join (select account_id, order_id, -sum(case kind when 'consume' then reserved else sms end) as consumed
          from ledger_entries where kind in ('consume', 'correct') group by 1, 2) l
        on l.order_id = o.id and l.account_id = o.account_id
      where o.consumed <> coalesce(l.consumed, 0)`,
  },
  {
    name: 'counters and credits of an order equal its messages',
    sql: `select 'order ' || o.id, format('total %s/%s delivered %s/%s undelivered %s/%s reserved %s/%s consumed %s/%s', o.total, m.n,
        o.delivered, m.delivered, o.undelivered, m.undelivered, o.reserved, m.reserved, o.consumed, m.consumed)
      from orders o cross join lateral (
        select count(*) as n, count(*) filter (where status = 111) as delivered, count(*) filter (where status = 112) as undelivered,
          coalesce(sum(credits) filter (where status = 110), 0) as reserved, coalesce(sum(credits) filter (where status = 111), 0) as consumed
        from messages m where m.account_id = o.account_id and m.id between o.first_message_id and o.first_message_id + o.total - 1
          and m.order_id = o.id) m
      where (o.total, o.delivered, o.undelivered, o.reserved, o.consumed) is distinct from (m.n, m.delivered, m.undelivered, m.reserved, m.consumed)`,
  },
  {
    name: 'an order is finished exactly when all its messages are',
    sql: `select 'order ' || id, format('state %s with %s of %s final', state, delivered + undelivered, total) from orders
      where (state in ('finished', 'cancelled', 'failed')) <> (delivered + undelivered = total)`,
  },
  {
    name: 'a cancelled order delivered nothing',
    sql: `select 'order ' || id, format('%s delivered', delivered) from orders where state = 'cancelled' and delivered > 0`,
  },
  {
    name: 'a scheduled order has no chunks',
    sql: `select 'order ' || o.id, 'chunk ' || c.id from orders o join chunks c on c.account_id = o.account_id and c.ids is null
        and c.first_message_id >= o.first_message_id and c.first_message_id < o.first_message_id + o.total
      where o.state in ('scheduled', 'cancelled')`,
  },
  {
    name: 'a message that waits has a chunk or a submission, or its order will be closed',
    sql: `select 'order ' || o.id, 'open since ' || o.submit_at from orders o
      where o.state = 'sending' and o.close_after < now() - interval '10 minutes'
        and not exists (select 1 from chunks c where c.account_id = o.account_id
          and (c.ids is not null or c.first_message_id < o.first_message_id + o.total and c.first_message_id + c.count > o.first_message_id))`,
  },
  {
    name: 'a chunk that waits long holds a message that waits',
    sql: `select 'chunk ' || c.id, 'account ' || c.account_id from chunks c
      where c.lease_owner is null and c.due_at < now() - interval '10 minutes' and not exists (
        select 1 from messages m where m.account_id = c.account_id and m.status = 110
          and case when c.ids is null then m.id between c.first_message_id and c.first_message_id + c.count - 1 else m.id = any (c.ids) end)`,
  },
  {
    name: 'every lease has a living owner',
    sql: `select 'chunk ' || c.id, 'owner ' || c.lease_owner from chunks c
      where c.lease_owner is not null and not exists (select 1 from dispatchers d where d.id = c.lease_owner)`,
  },
  {
    name: 'a receipt that was acknowledged is settled within minutes',
    sql: `select 'dispatcher ' || owner, format('row %s, %s receipts', no, cardinality(ids)) from receipt_inbox
      where received_at < now() - interval '5 minutes'`,
  },
  {
    name: 'what becomes of a message in doubt is decided within minutes',
    sql: `select 'message ' || message_id, 'due since ' || decide_at from unsure where decide_at < now() - interval '10 minutes'
      and not exists (select 1 from dispatch_hold)`,
  },
  {
    name: 'a message in doubt is sent twice at most',
    sql: `select 'message ' || message_id, format('%s copies', count(*)) from unsure where message_id > 0 group by message_id having count(*) > 2`,
  },
  {
    name: 'no chunk is quarantined',
    sql: `select 'chunk ' || c.id, format('order %s, lost %s times', m.order_id, c.lost) from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id)
      where c.lost >= 2 group by c.id, m.order_id, c.lost`,
  },
  {
    name: 'every message has a text',
    // The last message of an order has its last text; the first text is stored in the order.
    sql: `select 'order ' || o.id, 'text ' || m.text_no from orders o
      join messages m on m.id = o.first_message_id + o.total - 1 and m.account_id = o.account_id
      where m.text_no > 1 and not exists (select 1 from more_texts t
        where t.order_id = o.id and t.account_id = o.account_id and t.no = m.text_no)`,
  },
  {
    name: 'an ONAY refused by the registry does not count, a RET does',
    sql: `select 'consent ' || id, status || ' ' || sync_state from consent_records
      where counts <> not (status = 'ONAY' and sync_state = 'refused')`,
  },
  {
    name: 'no index is invalid',
    sql: `select 'index ' || c.relname, 'invalid' from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid`,
  },
  {
    name: 'no prepared transaction is left over',
    sql: `select 'transaction ' || gid, 'since ' || prepared from pg_prepared_xacts where database = current_database()`,
  },
];

export type Audited = { ok: boolean; findings: Finding[] };

export function audit(db: Db): Promise<Audited> {
  return snapshot(db, findAll, statementLimits.audit);
}

async function findAll(tx: Tx): Promise<{ ok: boolean; findings: Finding[] }> {
  const findings: Finding[] = [];
  for (const [i, one] of invariants.entries()) {
    // A common table expression is planned for all its rows. With a bare limit the planner expects a hundred violations, which
    // do not exist in good data: it joined 40,000 orders with as many entries by account alone and did not end in a minute.
    const found = await tx.query({
      name: `audit ${i}`,
      text: `with found as materialized (${one.sql}) select * from found limit 100`,
      rowMode: 'array',
    });
    for (const [subject, detail] of found.rows as string[][])
      findings.push({ invariant: one.name, subject: subject!, detail: detail! });
  }
  return { ok: findings.length === 0, findings };
}
