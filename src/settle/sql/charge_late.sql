-- Charges messages that were closed for lack of a receipt and delivered after all (docs/receipts.md). Their released credit is taken again
-- with a ledger entry of its own kind, as far as the balance reaches: the balance never becomes negative. A message that could not be paid
-- counts as delivered for 0 credits, and the entry says how many there were. The caller has locked messages, orders and balances.
create or replace function charge_late(p_messages bigint[]) returns void language plpgsql as $$
declare
  v_accounts bigint[];
  v_orders bigint[];
  v_ids bigint[];
  v_credits smallint[];
begin
  -- An order past its retention is not corrected: its rows are gone.
  select array_agg(c.account_id), array_agg(c.order_id), array_agg(c.id), array_agg(case when c.upto <= b.sms then c.credits else 0 end::smallint)
    into v_accounts, v_orders, v_ids, v_credits
    from (
      select m.account_id, m.order_id, m.id, m.credits, sum(m.credits) over (partition by m.account_id order by m.id) as upto
      from messages m join orders o on o.id = m.order_id and o.account_id = m.account_id
      where m.id = any (p_messages) and o.id = any (array(select x.order_id from messages x where x.id = any (p_messages)))) c
    join balances b on b.account_id = c.account_id;
  update messages m set reason = 0 where m.id = any (p_messages);
  if v_ids is null then return; end if;
  update messages m set credits = u.credits from unnest(v_ids, v_credits) u(id, credits)
    where m.id = any (v_ids) and m.id = u.id and m.credits <> u.credits;
  with sums as (
    select u.account_id, u.order_id, count(*) as messages, sum(u.credits) as credits, count(*) filter (where u.credits = 0) as unpaid
    from unnest(v_accounts, v_orders, v_credits) u(account_id, order_id, credits) group by 1, 2),
  counted as (
    update orders o set consumed = o.consumed + s.credits
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
  -- Traffic of the hours of these orders is counted again (src/reports/traffic.ts).
  with hours as (
    insert into traffic_counted as c (account_id, hour, settled, changes)
    select distinct o.account_id, date_trunc('hour', greatest(o.submit_at, o.send_at), 'UTC') as hour, false, 1 from orders o
    where o.id = any (v_orders) and o.account_id = any (v_accounts) order by 1, 2
    on conflict (account_id, hour) do update set settled = false, changes = c.changes + 1
    returning c.account_id, c.hour)
  delete from traffic_sums s using hours h where s.account_id = h.account_id and s.hour = h.hour;
end $$;
