-- The one way back: messages that we closed because no carrier had reported on them (note_late_1) turn out to have been
-- delivered. 112 → 111, once. Never after a carrier's own final word, which has another reason.
-- Their credit went back when they were closed and is taken again by an entry of its own kind, as far as the balance reaches:
-- what was given back may have been spent in good faith, and nobody is taken below zero for it. A message that could not be paid
-- counts as delivered for 0 credits, and the entry says how many there were. See docs/receipts.md.
create or replace function correct_late_1(p_most integer) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_accounts bigint[];
  v_orders bigint[];
  v_ids bigint[];
  v_credits smallint[];
begin
  with taken as (
    delete from late_deliveries d where (d.message_id, d.account_id) in (
      select x.message_id, x.account_id from late_deliveries x where not exists (select 1 from account_fences f where f.account_id = x.account_id)
      order by x.message_id limit p_most for update skip locked)
    returning d.message_id, d.account_id)
  select array_agg(message_id), array_agg(account_id) into v_ids, v_accounts from taken;
  if v_ids is null then return 0; end if;
  -- Messages, orders, balances: the order in which everybody locks.
  select array_agg(m.account_id), array_agg(m.order_id), array_agg(m.id) into v_accounts, v_orders, v_ids
    from (
      select x.account_id, x.order_id, x.id from messages x
      where x.id = any (v_ids) and x.account_id = any (v_accounts) and x.status = 112 and x.reason in (14, 15)
      order by x.id for update) m;
  if v_ids is null then return 0; end if;
  perform 1 from orders o where o.id = any (v_orders) and o.account_id = any (v_accounts) order by o.id for update;
  perform 1 from balances b where b.account_id = any (v_accounts) order by b.account_id for update;

  -- Of an order past its retention nothing is left to correct.
  select array_agg(c.account_id), array_agg(c.order_id), array_agg(c.id),
      array_agg(case when c.upto <= b.sms then c.credits else 0 end::smallint)
    into v_accounts, v_orders, v_ids, v_credits
    from (
      select m.account_id, m.order_id, m.id, m.credits, sum(m.credits) over (partition by m.account_id order by m.id) as upto
      from messages m
      join orders o on o.id = m.order_id and o.account_id = m.account_id
      where m.id = any (v_ids) and m.account_id = any (v_accounts) and o.id = any (v_orders)) c
    join balances b on b.account_id = c.account_id;
  if v_ids is null then return 0; end if;

  update messages m set status = 111, reason = 0, final_at = now(), credits = u.credits
    from unnest(v_accounts, v_ids, v_credits) u(account_id, id, credits)
    where m.id = any (v_ids) and m.id = u.id and m.account_id = u.account_id;
  with sums as (
    select u.account_id, u.order_id, count(*) as messages, sum(u.credits) as credits, count(*) filter (where u.credits = 0) as unpaid
    from unnest(v_accounts, v_orders, v_credits) u(account_id, order_id, credits) group by 1, 2),
  counted as (
    update orders o set delivered = o.delivered + s.messages, undelivered = o.undelivered - s.messages, consumed = o.consumed + s.credits
    from sums s where o.id = any (v_orders) and o.id = s.order_id and o.account_id = s.account_id),
  entered as (
    insert into ledger_entries (account_id, kind, sms, order_id, reason)
    select s.account_id, 'correct', -s.credits, s.order_id,
      format('Sonradan bildirilen teslim: %s mesaj', s.messages)
        || case when s.unpaid > 0 then format('; bakiye yetmedi, %s mesaj ücretsiz', s.unpaid) else '' end
    from sums s)
  update balances b set sms = b.sms - a.credits
    from (select account_id, sum(credits) as credits from sums group by 1) a
    where b.account_id = any (v_accounts) and b.account_id = a.account_id;
  -- The hours of these orders are counted anew (src/reports/traffic.ts).
  with hours as (
    insert into traffic_counted as c (account_id, hour, settled, changes)
    select distinct o.account_id, date_trunc('hour', greatest(o.submit_at, o.send_at), 'UTC') as hour, false, 1 from orders o
    where o.id = any (v_orders) and o.account_id = any (v_accounts) order by 1, 2
    on conflict (account_id, hour) do update set settled = false, changes = c.changes + 1
    returning c.account_id, c.hour)
  delete from traffic_sums s using hours h where s.account_id = h.account_id and s.hour = h.hour;
  insert into webhook_outbox (account_id, kind, order_id, message_ids)
    select w.account_id, 'final', u.order_id, array_agg(u.id order by u.id)
    from unnest(v_accounts, v_orders, v_ids) u(account_id, order_id, id)
    join webhook_endpoints w on w.owner_id = u.account_id
    where w.url <> '' and not 'delivered' = any (w.skipped)
    group by w.account_id, u.order_id;
  if exists (select 1 from orders o where o.id = any (v_orders) and o.smpp is not null) then perform smpp_owe_1(v_orders, v_ids); end if;
  return cardinality(v_ids);
end $$;
