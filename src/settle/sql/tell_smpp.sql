-- Receipts to customers over SMPP whose messages came to their end: of those that have an id of their own, and of the others.
create or replace function tell_smpp(p_messages bigint[]) returns void language plpgsql set enable_nestloop = on as $$
declare
  v_each record;
begin
  with ended as (
    select m.order_id, m.id, m.status, m.reason, o.smpp, o.total = 1 or o.smpp ? 'each' as is_each from messages m
    -- One by one: docs/decisions/0006-plans-without-a-choice.md.
    cross join lateral (select x.smpp, x.total from orders x where x.id = m.order_id and x.account_id = m.account_id and x.smpp is not null offset 0) o
    where m.id = any (p_messages))
  select array_agg(order_id) filter (where is_each) as orders, array_agg(id) filter (where is_each) as messages,
      array_agg(status) filter (where is_each) as statuses, array_agg(reason) filter (where is_each) as reasons,
      array_agg(smpp) filter (where is_each) as origins,
      array_agg(order_id) filter (where not is_each) as other_orders, array_agg(id) filter (where not is_each) as other_messages
    into v_each from ended;
  if v_each.orders is not null then
    perform smpp_owe_each_1(v_each.orders, v_each.messages, v_each.statuses, v_each.reasons, v_each.origins);
  end if;
  if v_each.other_orders is not null then perform smpp_owe_1(v_each.other_orders, v_each.other_messages); end if;
end $$;
