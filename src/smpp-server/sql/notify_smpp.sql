-- Writes receipts for ended messages of orders over SMPP that asked for them: one row for each id under which the customer knows the
-- message. Looked up one by one: docs/decisions/0006-plans-without-a-choice.md.
create or replace function notify_smpp(p_messages bigint[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = on as $$
begin
  insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason)
    select (o.smpp ->> 'u')::bigint, m.order_id, m.id, i.id, m.status, m.reason from messages m
    cross join lateral (select x.smpp, x.first_message_id from orders x where x.id = m.order_id and x.account_id = m.account_id
      and x.smpp is not null offset 0) o
    cross join lateral (
      select m.order_id + case when o.smpp ? 'each' then m.id - o.first_message_id else 0 end where not o.smpp ? 'ids'
      union all select e.id::bigint from jsonb_array_elements_text(o.smpp -> 'ids') e(id)) i(id)
    where m.id = any (p_messages) and case o.smpp ->> 'r' when '1' then true when '2' then m.status = 112 else false end;
end $$;
