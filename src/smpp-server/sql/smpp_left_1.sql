-- What the deliver_sm of those receipts of a bundle need that are not told yet, an array for each thing. Their ids stand side by side, so
-- that a scan for all of them reads the index once, where looking them up one by one goes down from its root 200 times; the
-- settings leave the planner no other way (docs/decisions/0006-plans-without-a-choice.md).
create or replace function smpp_left_1(p_orders bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[], p_told varbit)
returns table (places bigint[], smpp_ids bigint[], statuses smallint[], reasons smallint[], submitted bigint[], numbers json, senders json,
  origins json) language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set enable_bitmapscan = off as $$
begin
  return query
    select array_agg(u.no - 1), array_agg(r.id + m.id - r.first_message_id), array_agg(u.status), array_agg(u.reason),
      array_agg((date_part('epoch', r.submit_at) * 1000)::bigint), json_agg(coalesce(m.number::text, m.given)), json_agg(r.sender),
      json_agg(r.smpp)
    from (
      select * from unnest(p_orders, p_messages, p_statuses, p_reasons) with ordinality x(order_id, message_id, status, reason, no)
      where get_bit(p_told, x.no::integer - 1) = 0) u
    join (
      select y.id, y.account_id, y.sender, y.submit_at, y.smpp, y.first_message_id from orders y where y.id = any (p_orders) offset 0) r
      on r.id = u.order_id
    join (select y.id, y.account_id, y.number, y.given from messages y where y.id = any (p_messages) offset 0) m
      on m.id = u.message_id and m.account_id = r.account_id;
end $$;
