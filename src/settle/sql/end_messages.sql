-- Ends messages. sums: what changed, by order in the order of their ids; ids: the messages that changed; late: those of them that we had closed.
create or replace function end_messages(p_messages bigint[], p_statuses smallint[], p_reasons smallint[],
  out sums order_ends, out ids bigint[], out late bigint[]) language plpgsql as $$
begin
  with ended as (
    -- A late one keeps the reason for which it was closed, by which it is known here, until charge_late.
    update messages m set status = u.status, reason = case when m.status = 110 then u.reason else m.reason end, final_at = now()
    from (select * from unnest(p_messages, p_statuses, p_reasons) y(id, status, reason) order by y.id) u
    where m.id = any (p_messages) and m.id = u.id and (m.status = 110 or u.status = 111 and m.status = 112 and m.reason in (14, 15))
    returning m.account_id, m.order_id, m.id, m.number, m.credits, m.status = 111 and m.reason in (14, 15) as is_late,
      m.status = 111 as is_delivered),
  orders as (
    select account_id, order_id, count(*) filter (where is_delivered) as delivered,
      count(*) filter (where not is_delivered) - count(*) filter (where is_late) as undelivered,
      coalesce(sum(credits) filter (where is_delivered and not is_late), 0) as consumed,
      coalesce(sum(credits) filter (where not is_delivered), 0) as released, min(id) as message, min(number) as number
    from ended group by account_id, order_id order by order_id)
  select array_agg(account_id), array_agg(order_id), array_agg(delivered), array_agg(undelivered), array_agg(consumed), array_agg(released),
      array_agg(message), array_agg(number), (select array_agg(e.id) from ended e), (select array_agg(e.id) from ended e where e.is_late)
    into sums.accounts, sums.orders, sums.delivered, sums.undelivered, sums.consumed, sums.released, sums.messages, sums.numbers, ids, late
    from orders;
end $$;
