-- What smpp_owe_1 does, for messages that each have an id of their own, in an order to themselves or a joint one: p_origins, orders.smpp
-- of each. All but those that came in parts share rows (docs/decisions/0016-bundles-of-receipts.md).
create or replace function smpp_owe_each_1(p_orders bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[],
  p_origins jsonb[]) returns void language plpgsql as $$
declare
  v_long boolean;
  v_count integer := cardinality(p_orders);
begin
  -- One user who wants all of them, as nearly always: nothing to be looked into one by one (8 → 2 µs a receipt).
  if p_origins[1] ->> 'r' = '1' and not p_origins[1] ? 'ids' and p_origins[1] = all (p_origins) then
    insert into smpp_bundles (user_id, orders, messages, statuses, reasons, told)
      select (p_origins[1] ->> 'u')::bigint, p_orders[i : i + 99], p_messages[i : i + 99], p_statuses[i : i + 99], p_reasons[i : i + 99],
        repeat('0', least(100, v_count - i + 1))::varbit
      from generate_series(1, v_count, 100) i;
    return;
  end if;
  with owed as (
    select (x.origin ->> 'u')::bigint as user_id, x.*, x.origin ? 'ids' as long
    from unnest(p_orders, p_messages, p_statuses, p_reasons, p_origins) with ordinality x(order_id, message_id, status, reason, origin, no)
    where case x.origin ->> 'r' when '1' then true when '2' then x.status = 112 else false end),
  bundled as (
    insert into smpp_bundles (user_id, orders, messages, statuses, reasons, told)
      select b.user_id, array_agg(b.order_id), array_agg(b.message_id), array_agg(b.status), array_agg(b.reason),
        repeat('0', count(*)::integer)::varbit
      from (select o.*, (row_number() over (partition by o.user_id order by o.no) - 1) / 100 as nth from owed o where not o.long) b
      group by b.user_id, b.nth order by b.user_id, b.nth)
  select bool_or(o.long) into v_long from owed o;
  if v_long then
    insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason)
      select (x.origin ->> 'u')::bigint, x.order_id, x.message_id, e.id::bigint, x.status, x.reason
      from unnest(p_orders, p_messages, p_statuses, p_reasons, p_origins) x(order_id, message_id, status, reason, origin)
      cross join lateral jsonb_array_elements_text(x.origin -> 'ids') e(id)
      where case x.origin ->> 'r' when '1' then true when '2' then x.status = 112 else false end;
  end if;
end $$;
