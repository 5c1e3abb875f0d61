-- Takes in at most p_messages messages of at most p_orders ended orders, large ones piece by piece: a statement of 200 ms
-- would keep one-time codes from a core. Returns how many messages were looked at.
create or replace function number_orders_1(p_orders integer, p_messages integer) returns integer language plpgsql
set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  v_ids bigint[];
  v_accounts bigint[];
  v_firsts bigint[];
  v_counts integer[];
  -- Of their messages.
  v_owners bigint[];
  v_numbers bigint[];
  v_messages bigint[];
begin
  select array_agg(o.id), array_agg(o.account_id), array_agg(o.first), array_agg(least(o.rest, p_messages - o.before))
    into v_ids, v_accounts, v_firsts, v_counts
    from (
      select y.id, y.account_id, y.first, y.rest, sum(y.rest) over (order by y.finished_at, y.id) - y.rest as before from (
        select id, account_id, first_message_id + numbered_count as first, total - numbered_count as rest, finished_at from orders
        where not numbered and state in ('finished', 'cancelled', 'failed')
          and not exists (select 1 from account_fences f where f.account_id = orders.account_id)
        order by finished_at limit p_orders for update skip locked) y) o
    where o.before < p_messages;
  if v_ids is null then return 0; end if;
  select array_agg(m.account_id), array_agg(m.number), array_agg(m.id) into v_owners, v_numbers, v_messages from (
    select x.account_id, x.number, x.id
    from unnest(v_accounts, v_firsts, v_counts) u(account_id, first, count)
    cross join lateral (
      select y.account_id, y.number, y.id from messages y
      where y.account_id = u.account_id and y.id between u.first and u.first + u.count - 1 and y.number is not null offset 0) x
    order by x.account_id, x.number) m;
  perform number_singles_1(v_owners, v_numbers, v_messages);
  update orders o set numbered_count = o.numbered_count + u.count, numbered = o.numbered_count + u.count >= o.total
    from unnest(v_ids, v_accounts, v_counts) u(id, account_id, count)
    where o.id = any (v_ids) and o.id = u.id and o.account_id = u.account_id;
  return (select sum(c) from unnest(v_counts) c);
end $$;
