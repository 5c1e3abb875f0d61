-- Returns the next events of folded rows, oldest first, at most p_budgets[i] for the address with the key p_accounts[i]. s_ names rows that the
-- caller already has, and how far. Each slice begins with a row whose `at` is null and whose `upto` says how far the slice goes. `held`: an
-- earlier event of that message still waits for its retry. An address with p_pending_max such events gets no more until some of them succeed.
create or replace function webhook_unfold(p_accounts bigint[], p_budgets integer[], p_pending_max integer,
  s_accounts bigint[], s_ids bigint[], s_to integer[])
returns table (account_id bigint, outbox_id bigint, kind text, total integer, upto integer, created_at timestamptz, at integer, subject_id bigint,
  order_id bigint, event text, recipient text, sender text, text text, received_at timestamptz, held boolean)
language plpgsql set jit = off as $$
#variable_conflict use_column
declare
  v_account bigint;
  v_owner bigint;
  v_budget integer;
  v_pending integer;
begin
  for v_account, v_budget in select * from unnest(p_accounts, p_budgets) loop
    select count(*) into v_pending from (select 1 from webhook_deliveries d
      where d.account_id = v_account and d.state = 'pending' limit p_pending_max) c;
    continue when v_pending >= p_pending_max;
    select e.owner_id into v_owner from webhook_endpoints e where e.account_id = v_account;
    -- One statement for all rows: single sends are a row each, and planning each one took 0.8 ms.
    return query
      with next as (
        select o.id, o.kind, o.order_id, o.first_message_id, o.message_ids, o.inbound_id,
          coalesce(o.renewed_at, o.created_at) as created_at, o.created_at as stored_at, greatest(o.done, coalesce(s.upto, 0)) as start,
          coalesce(o.message_count, cardinality(o.message_ids), 1) as total
        from webhook_outbox o
        left join unnest(s_accounts, s_ids, s_to) s(account_id, id, upto) on s.account_id = o.account_id and s.id = o.id
        where o.account_id = v_account and o.parked_at is null
          and greatest(o.done, coalesce(s.upto, 0)) < coalesce(o.message_count, cardinality(o.message_ids), 1)
        order by o.id limit v_budget),
      counted as (
        select n.*, sum(n.total - n.start) over (order by n.id) - (n.total - n.start) as before from next n),
      slices as materialized (
        select c.*, least(c.total, c.start + v_budget - c.before)::integer as upto from counted c where c.before < v_budget)
      select v_account, z.id, z.kind, z.total, z.upto, z.created_at, null::integer, null::bigint, z.order_id,
        null::text, null::text, null::text, null::text, null::timestamptz, false
      from slices z
      union all
      select v_account, z.id, z.kind, z.total, z.upto, z.created_at, u.at, m.id, m.order_id,
        case
          when m.status = 111 and z.kind = 'final' then 'delivered'
          -- Blocked when the order was accepted: in the transaction that wrote this row.
          when z.kind = 'final' or m.reason in (1, 2, 3) and m.final_at = z.stored_at then 'undelivered'
          else 'accepted' end,
        coalesce('+' || m.number, m.given, ''), null, coalesce(t.text, ''), null,
        v_pending > 0 and exists (select 1 from webhook_deliveries d where d.account_id = v_account
          and d.subject_id = m.id and d.state = 'pending' and d.kind in ('accepted', 'final'))
      from slices z
      cross join lateral (
        select g.at, z.first_message_id + g.at as id from generate_series(z.start, z.upto - 1) g(at) where z.kind = 'accepted'
        union all
        select z.start + i.ord::integer - 1, i.id from unnest(z.message_ids[z.start + 1:z.upto]) with ordinality i(id, ord)
          where z.kind = 'final') u
      cross join lateral (select x.* from messages x where x.account_id = v_owner and x.id = u.id offset 0) m
      left join lateral (select x.text from order_texts x
        where x.account_id = v_owner and x.order_id = m.order_id and x.no = m.text_no offset 0) t on true
      union all
      select v_account, z.id, z.kind, z.total, z.upto, z.created_at, 0, i.id, null, 'inbound', i.recipient, i.number_text,
        i.text, i.received_at, false
      from slices z
      cross join lateral (select x.* from inbound_messages x where x.account_id = v_owner and x.id = z.inbound_id offset 0) i
      where z.kind = 'inbound'
      union all
      select v_account, z.id, z.kind, z.total, z.upto, z.created_at, 0, 0, null, 'test', null, null, null, null, false
      from slices z where z.kind not in ('accepted', 'final', 'inbound')
      order by 2, 7 nulls first;
  end loop;
end $$;
