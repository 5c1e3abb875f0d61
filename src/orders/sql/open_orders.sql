-- Open orders of an account: all large and all scheduled ones by their index, small ones among the newest 10,000.
create or replace function open_orders(p_account bigint) returns table (id bigint, first_message_id bigint, total integer, reserved bigint)
language sql stable as $$
  select o.id, o.first_message_id, o.total, o.reserved from orders o where o.account_id = p_account and o.running
  union all
  select o.id, o.first_message_id, o.total, o.reserved from orders o where o.account_id = p_account and o.planned and o.send_at > '-infinity'
  union all
  select o.id, o.first_message_id, o.total, o.reserved from (
    select x.id, x.first_message_id, x.total, x.reserved, x.state from orders x
    where x.account_id = p_account and x.submit_at > now() - interval '15 days' order by x.submit_at desc, x.id desc limit 10000) o
  where o.state = 'sending' and o.total <= 10
$$;
