-- Writes webhook events of accepted orders (blocked recipients are reported as undelivered in the same row), and receipts of blocked
-- recipients of orders over SMPP.
create or replace function notify_accepted(p_orders new_orders, p_codes integer[], p_ids bigint[], p_firsts bigint[], p_free integer[])
returns boolean language plpgsql as $$
declare
  v_refused record;
begin
  if exists (select 1 from webhook_endpoints w where w.owner_id = any (p_orders.accounts) and w.url <> '') then
    insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
      select w.account_id, 'accepted', o.id, o.first, o.total
      from unnest(p_orders.accounts, p_codes, p_ids, p_firsts, p_orders.totals, p_free) o(account, code, id, first, total, free)
      cross join lateral (select e.account_id, e.skipped from webhook_endpoints e where e.owner_id = o.account and e.url <> '' offset 0) w
      where o.code = 200 and (not 'accepted' = any (w.skipped) or o.free < o.total and not 'undelivered' = any (w.skipped));
  end if;
  if p_orders.smpp is null then return true; end if;
  for v_refused in
    select o.account, o.first, o.first + o.total - 1 as last from unnest(p_orders.accounts, p_codes, p_firsts, p_orders.totals, p_free, p_orders.smpp)
      o(account, code, first, total, free, smpp)
    where o.code = 200 and o.free < o.total and o.smpp is not null
  loop
    perform notify_smpp(array_agg(m.id)) from messages m
      where m.account_id = v_refused.account and m.id between v_refused.first and v_refused.last and m.status = 112;
  end loop;
  return true;
end $$;
