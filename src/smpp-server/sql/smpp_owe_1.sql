-- Receipts for messages that ended, where their order came over SMPP and asked for them: one row for each id that the customer
-- knows the message by. Called in the transaction that ends them, and only when one of the orders came over SMPP. Looked up one
-- by one: matched as sets, all orders were read for each batch (docs/decisions/0006-plans-without-a-choice.md).
create or replace function smpp_owe_1(p_orders bigint[], p_messages bigint[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
begin
  insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason)
    select (o.smpp ->> 'u')::bigint, x.order_id, x.message_id, i.id, m.status, m.reason
    from unnest(p_orders, p_messages) x(order_id, message_id)
    cross join lateral (select y.account_id, y.smpp, y.first_message_id from orders y where y.id = x.order_id and y.smpp is not null offset 0) o
    cross join lateral (
      select y.status, y.reason from messages y where y.id = x.message_id and y.account_id = o.account_id offset 0) m
    cross join lateral (
      select x.order_id + case when o.smpp ? 'each' then x.message_id - o.first_message_id else 0 end where not o.smpp ? 'ids'
      union all select e.id::bigint from jsonb_array_elements_text(o.smpp -> 'ids') e(id)) i(id)
    where case o.smpp ->> 'r' when '1' then true when '2' then m.status = 112 else false end;
end $$;
