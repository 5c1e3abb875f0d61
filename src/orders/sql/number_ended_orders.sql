-- Indexes by number at most p_messages messages of at most p_orders ended orders, large orders in pieces: a statement of 200 ms would keep
-- one-time codes waiting for a core. Returns how many messages it looked at.
create or replace function number_ended_orders(p_orders integer, p_messages integer) returns integer language plpgsql
set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  v_accounts bigint[];
  v_firsts bigint[];
  v_counts integer[];
  -- Columns of their messages.
  v_owners bigint[];
  v_numbers bigint[];
  v_messages bigint[];
begin
  with waiting as (
    select q.* from number_queue q order by q.order_id limit p_orders for update skip locked),
  pieces as (
    select w.*, least(w.total, p_messages - w.before)::integer as count from (
      select *, sum(total) over (order by order_id) - total as before from waiting) w
    where w.before < p_messages),
  ended as (
    delete from number_queue q using pieces p where p.count = p.total and q.order_id = p.order_id and q.account_id = p.account_id),
  begun as (
    update number_queue q set first_message_id = q.first_message_id + p.count, total = q.total - p.count from pieces p
    where p.count < p.total and q.order_id = p.order_id and q.account_id = p.account_id)
  select array_agg(p.account_id), array_agg(p.first_message_id), array_agg(p.count) into v_accounts, v_firsts, v_counts from pieces p;
  if v_accounts is null then return 0; end if;
  select array_agg(m.account_id), array_agg(m.number), array_agg(m.id) into v_owners, v_numbers, v_messages from (
    select x.account_id, x.number, x.id
    from unnest(v_accounts, v_firsts, v_counts) u(account_id, first, count)
    cross join lateral (
      select y.account_id, y.number, y.id from messages y
      where y.account_id = u.account_id and y.id between u.first and u.first + u.count - 1 and y.number is not null offset 0) x
    order by x.account_id, x.number) m;
  perform number_messages(v_owners, v_numbers, v_messages);
  return (select sum(c) from unnest(v_counts) c);
end $$;
