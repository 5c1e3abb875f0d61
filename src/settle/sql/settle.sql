-- Messages come to their end: 110 → 111 | 112, once; and 112 → 111 where we had closed one for lack of a receipt or an answer (14, 15) that
-- was delivered after all. Counters, credit, ledger and the events for customers change with them, counted from the rows that really changed.
-- Ids of 0 and below are passed over. Returns how many changed. Locked are messages, orders, balances, each in the order of ids:
-- rows come by index in the order of their keys, or in that of the arrays, which are sorted (docs/decisions/0008-lock-order.md).
create or replace function settle(p_messages bigint[], p_statuses smallint[], p_reasons smallint[]) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set enable_bitmapscan = off as $$
declare
  v_ended record;
  v_smpp boolean;
begin
  if coalesce(cardinality(p_messages), 0) = 0 then return 0; end if;
  v_ended := end_messages(p_messages, p_statuses, p_reasons);
  if v_ended.ids is null then return 0; end if;
  v_smpp := count_orders(v_ended.sums);
  -- What was delivered is consumed, what was not goes back.
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select r.account_id, k.kind, k.sms, k.reserved, r.order_id
    from unnest((v_ended.sums).accounts, (v_ended.sums).orders, (v_ended.sums).consumed, (v_ended.sums).released)
      r(account_id, order_id, consumed, released)
    cross join lateral (values ('consume', 0, -r.consumed), ('release', r.released, -r.released)) k(kind, sms, reserved)
    where k.reserved < 0;
  -- charge_late needs all balances.
  if v_ended.late is not null then
    perform 1 from balances b where b.account_id = any ((v_ended.sums).accounts) order by b.account_id for update;
  end if;
  if 0 < any ((v_ended.sums).released) then
    update balances b set sms = b.sms + r.released
      from (select u.account_id, sum(u.released) as released from unnest((v_ended.sums).accounts, (v_ended.sums).released) u(account_id, released)
        group by u.account_id having sum(u.released) > 0 order by u.account_id) r
      where b.account_id = any ((v_ended.sums).accounts) and b.account_id = r.account_id;
  end if;
  if v_ended.late is not null then perform charge_late(v_ended.late); end if;
  -- An event for each address that wants it and each order: which of its messages came to their end.
  if exists (select 1 from webhook_endpoints w where w.owner_id = any ((v_ended.sums).accounts) and w.url <> '') then
    insert into webhook_outbox (account_id, kind, order_id, message_ids)
      select w.account_id, 'final', m.order_id, array_agg(m.id order by m.id)
      from messages m join webhook_endpoints w on w.owner_id = m.account_id
      where m.id = any (v_ended.ids) and w.owner_id = any ((v_ended.sums).accounts) and w.url <> ''
        and not case m.status when 111 then 'delivered' else 'undelivered' end = any (w.skipped)
      group by w.account_id, m.order_id;
  end if;
  if v_smpp then perform notify_smpp(v_ended.ids); end if;
  return cardinality(v_ended.ids);
end $$;
