-- What smpp_owe_1 does, for orders of one message each: p_origins, orders.smpp of each.
create or replace function smpp_owe_singles_1(p_orders bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[],
  p_origins jsonb[]) returns void language plpgsql as $$
begin
  insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason)
    select (x.origin ->> 'u')::bigint, x.order_id, x.message_id, i.id, x.status, x.reason
    from unnest(p_orders, p_messages, p_statuses, p_reasons, p_origins) x(order_id, message_id, status, reason, origin)
    cross join lateral (
      select x.order_id where not x.origin ? 'ids'
      union all select e.id::bigint from jsonb_array_elements_text(x.origin -> 'ids') e(id)) i(id)
    where case x.origin ->> 'r' when '1' then true when '2' then x.status = 112 else false end;
end $$;
