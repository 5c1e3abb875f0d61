-- Brings messages to their end: 110 → 111 | 112, never back, so a repeat changes nothing. Counters, order state, credit
-- and the notification change with them, counted from the rows that really changed.
create or replace function settle_1(p_accounts bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[])
returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
-- Rows come by index in the order of their keys, or in that of the arrays, which are sorted: docs/decisions/0008-lock-order.md.
set enable_bitmapscan = off as $$
declare
  -- What really changed, message by message, where somebody is to be told of each …
  c_accounts bigint[];
  c_orders bigint[];
  c_ids bigint[];
  c_statuses smallint[];
  c_reasons smallint[];
  -- … and summed up by order.
  v_accounts bigint[];
  v_orders bigint[];
  v_delivered bigint[];
  v_undelivered bigint[];
  v_consumed bigint[];
  v_released bigint[];
  -- One message of each, which of an order of one is all there is.
  v_messages bigint[];
  v_numbers bigint[];
  v_reasons smallint[];
  -- Orders that came over SMPP, whose messages each have an id there: joint ones, of 0.2.0 …
  e_orders bigint[];
  e_origins jsonb[];
  -- … and, message by message, all of them.
  s_orders bigint[];
  s_messages bigint[];
  s_statuses smallint[];
  s_reasons smallint[];
  s_origins jsonb[];
  -- Orders of one message, however they came.
  n_accounts bigint[];
  n_numbers bigint[];
  n_messages bigint[];
  -- Addresses that are told, and which of the two they want.
  w_accounts bigint[];
  w_keys bigint[];
  w_delivered boolean[];
  w_undelivered boolean[];
  v_smpp boolean;
  v_count integer;
  -- Five lists of all that changed are 1.4 µs a message.
  v_listed boolean := exists (select 1 from webhook_endpoints w where w.owner_id = any (p_accounts) and w.url <> '')
    or exists (select 1 from smpp_users u where u.account_id = any (p_accounts));
begin
  with changed as (
    update messages m set status = u.status, reason = u.reason, final_at = now()
    from (select * from unnest(p_accounts, p_messages, p_statuses, p_reasons) x(account_id, id, status, reason) order by x.id) u
    where m.id = any (p_messages) and m.id = u.id and m.account_id = u.account_id and m.status = 110
    returning m.account_id, m.order_id, m.id, m.number, m.status, m.reason, m.credits),
  sums as (
    select account_id, order_id, count(*) filter (where status = 111) as delivered, count(*) filter (where status = 112) as undelivered,
      coalesce(sum(credits) filter (where status = 111), 0) as consumed,
      coalesce(sum(credits) filter (where status = 112), 0) as released, min(id) as message, min(number) as number, min(reason) as reason
    -- By id: so the orders are updated, whichever side of the match leads, and two processes cannot wait for one another.
    from changed group by account_id, order_id order by order_id)
  select (select array_agg(account_id) from changed where v_listed), (select array_agg(order_id) from changed where v_listed),
      (select array_agg(id) from changed where v_listed), (select array_agg(status) from changed where v_listed),
      (select array_agg(reason) from changed where v_listed), sum(delivered + undelivered), array_agg(account_id), array_agg(order_id), array_agg(delivered), array_agg(undelivered), array_agg(consumed), array_agg(released),
      array_agg(message), array_agg(number), array_agg(reason)
    into c_accounts, c_orders, c_ids, c_statuses, c_reasons, v_count, v_accounts, v_orders, v_delivered, v_undelivered, v_consumed, v_released,
      v_messages, v_numbers, v_reasons from sums;
  if v_orders is null then return 0; end if;

  with counted as (update orders o set delivered = o.delivered + r.delivered, undelivered = o.undelivered + r.undelivered,
      consumed = o.consumed + r.consumed, reserved = o.reserved - r.consumed - r.released,
      -- Failed as a whole: no carrier saw any of it (bad number, blacklist, consent, sender, validity over).
      state = case
        when o.state <> 'sending' or o.delivered + o.undelivered + r.delivered + r.undelivered < o.total then o.state
        when o.delivered + r.delivered = 0 and not exists (select 1 from messages m where m.account_id = o.account_id
          and m.id between o.first_message_id and o.first_message_id + o.total - 1 and m.reason not in (1, 2, 3, 4, 18))
          then 'failed'
        else 'finished' end,
      finished_at = case when o.delivered + o.undelivered + r.delivered + r.undelivered = o.total then now() end
    from unnest(v_accounts, v_orders, v_delivered, v_undelivered, v_consumed, v_released, v_messages, v_numbers, v_reasons)
      r(account_id, order_id, delivered, undelivered, consumed, released, message, number, reason)
    where o.id = any (v_orders) and o.id = r.order_id and o.account_id = r.account_id
    returning o.smpp, o.total = 1 as single, o.account_id, o.id, r.message, r.reason, case when r.delivered > 0 then 111 else 112 end as status,
      r.number, o.finished_at, o.first_message_id, o.total),
  -- An order of one message is entered by its number here; larger ones behind (number_orders_1), piece by piece.
  queued as (
    insert into number_queue select c.id, c.account_id, c.first_message_id, c.total from counted c
      where not c.single and c.finished_at is not null on conflict do nothing)
  select bool_or(c.smpp is not null and not c.single and not c.smpp ? 'each'), array_agg(c.id) filter (where c.smpp ? 'each'),
      array_agg(c.smpp) filter (where c.smpp ? 'each'), array_agg(c.id) filter (where s.owed), array_agg(c.message) filter (where s.owed),
      array_agg(c.status) filter (where s.owed), array_agg(c.reason) filter (where s.owed), array_agg(c.smpp) filter (where s.owed),
      array_agg(c.account_id) filter (where c.single), array_agg(c.number) filter (where c.single), array_agg(c.message) filter (where c.single)
    into v_smpp, e_orders, e_origins, s_orders, s_messages, s_statuses, s_reasons, s_origins, n_accounts, n_numbers, n_messages
    from counted c cross join lateral (select c.smpp is not null and c.single) s(owed);
  if n_messages is not null then perform number_singles_1(n_accounts, n_numbers, n_messages); end if;
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select r.account_id, k.kind, k.sms, k.reserved, r.order_id
    from unnest(v_accounts, v_orders, v_consumed, v_released) r(account_id, order_id, consumed, released)
    cross join lateral (values ('consume', 0, -r.consumed), ('release', r.released, -r.released)) k(kind, sms, reserved)
    where k.reserved < 0;
  if exists (select 1 from unnest(v_released) x where x > 0) then
    update balances b set sms = b.sms + r.released
      from (select u.account_id, sum(u.released) as released from unnest(v_accounts, v_released) u(account_id, released)
        group by u.account_id having sum(u.released) > 0 order by u.account_id) r
      where b.account_id = any (v_accounts) and b.account_id = r.account_id;
  end if;
  select array_agg(w.owner_id), array_agg(w.account_id), array_agg(not 'delivered' = any (w.skipped)), array_agg(not 'undelivered' = any (w.skipped))
    into w_accounts, w_keys, w_delivered, w_undelivered
    from webhook_endpoints w where w.owner_id = any (v_accounts) and w.url <> '';
  if w_keys is not null then
    insert into webhook_outbox (account_id, kind, order_id, message_ids)
      select w.key, 'final', c.order_id, array_agg(c.id order by c.id)
      from unnest(c_accounts, c_orders, c_ids, c_statuses) c(account_id, order_id, id, status)
      join unnest(w_accounts, w_keys, w_delivered, w_undelivered) w(account_id, key, delivered, undelivered) on w.account_id = c.account_id
      where case when c.status = 111 then w.delivered else w.undelivered end
      group by w.key, c.order_id;
  end if;
  -- Where each message has an id all that is needed is at hand; one order of another kind among them, and all are looked up.
  if v_smpp then
    perform smpp_owe_1(c_orders, c_ids);
    return v_count;
  end if;
  if e_orders is not null then
    select s_orders || array_agg(c.order_id), s_messages || array_agg(c.id), s_statuses || array_agg(c.status),
        s_reasons || array_agg(c.reason), s_origins || array_agg(e.origin)
      into s_orders, s_messages, s_statuses, s_reasons, s_origins
      from unnest(c_orders, c_ids, c_statuses, c_reasons) c(order_id, id, status, reason)
      join unnest(e_orders, e_origins) e(id, origin) on e.id = c.order_id;
  end if;
  if s_orders is not null then perform smpp_owe_each_1(s_orders, s_messages, s_statuses, s_reasons, s_origins); end if;
  return v_count;
end $$;
