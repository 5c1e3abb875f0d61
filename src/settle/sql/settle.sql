-- Ends messages: 110 → 111 | 112, once; and 112 → 111 for a message that was closed for lack of a receipt or an answer (14, 15) and delivered
-- after all. Counters, credit, ledger and events for customers change in the same transaction, computed from the rows that really changed.
-- Ids of 0 and below are skipped. Returns how many messages changed. It locks messages, orders, balances, each in the order of ids: rows come
-- by index in the order of their keys, or in the order of the arrays, which are sorted (docs/decisions/0008-lock-order.md).
create or replace function settle(p_messages bigint[], p_statuses smallint[], p_reasons smallint[]) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set enable_bitmapscan = off as $$
declare
  v_sums order_ends;
  v_ids bigint[];
  v_late bigint[];
  v_smpp boolean;
begin
  if coalesce(cardinality(p_messages), 0) = 0 then return 0; end if;
  with ended as (
    -- A late delivery keeps its reason (14, 15) until charge_late: the reason identifies it below.
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
    into v_sums.accounts, v_sums.orders, v_sums.delivered, v_sums.undelivered, v_sums.consumed, v_sums.released, v_sums.messages, v_sums.numbers,
      v_ids, v_late
    from orders;
  if v_ids is null then return 0; end if;
  v_smpp := count_orders(v_sums);
  -- Delivered messages consume their credit; the credit of undelivered ones is released.
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select r.account_id, k.kind, k.sms, k.reserved, r.order_id
    from unnest(v_sums.accounts, v_sums.orders, v_sums.consumed, v_sums.released)
      r(account_id, order_id, consumed, released)
    cross join lateral (values ('consume', 0, -r.consumed), ('release', r.released, -r.released)) k(kind, sms, reserved)
    where k.reserved < 0;
  -- charge_late needs the lock of every balance.
  if v_late is not null then
    perform 1 from balances b where b.account_id = any (v_sums.accounts) order by b.account_id for update;
  end if;
  if 0 < any (v_sums.released) then
    update balances b set sms = b.sms + r.released
      from (select u.account_id, sum(u.released) as released from unnest(v_sums.accounts, v_sums.released) u(account_id, released)
        group by u.account_id having sum(u.released) > 0 order by u.account_id) r
      where b.account_id = any (v_sums.accounts) and b.account_id = r.account_id;
  end if;
  if v_late is not null then perform charge_late(v_late); end if;
  -- One event per order and subscribed endpoint: which messages of the order ended.
  if exists (select 1 from webhook_endpoints w where w.owner_id = any (v_sums.accounts) and w.url <> '') then
    insert into webhook_outbox (account_id, kind, order_id, message_ids)
      select w.account_id, 'final', m.order_id, array_agg(m.id order by m.id)
      from messages m join webhook_endpoints w on w.owner_id = m.account_id
      where m.id = any (v_ids) and w.owner_id = any (v_sums.accounts) and w.url <> ''
        and not case m.status when 111 then 'delivered' else 'undelivered' end = any (w.skipped)
      group by w.account_id, m.order_id;
  end if;
  if v_smpp then perform notify_smpp(v_ids); end if;
  return cardinality(v_ids);
end $$;
