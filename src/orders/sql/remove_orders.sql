-- Does one of two steps: deletes at most p_messages messages of removed orders, or removes ended orders older than p_before. Never both at
-- once, because messages are locked before orders (docs/decisions/0008-lock-order.md). Returns rows removed. With lists of keys and nested
-- loops the cost depends on what is removed, not on what stays.
create or replace function remove_orders(p_before timestamptz, p_messages integer, p_lasts interval) returns integer language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_ids bigint[];
  v_removed integer;
begin
  -- The first p_messages messages; the rest of an order waits for the next step.
  with waiting as (
    select account_id, first_message_id, total from order_removals x
    order by first_message_id limit p_messages for update skip locked),
  pieces as (
    select w.account_id, w.first_message_id, w.total, least(w.total, p_messages - w.before)::integer as count from (
      select *, coalesce(sum(total) over (order by first_message_id rows between unbounded preceding and 1 preceding), 0) as before
      from waiting) w
    where w.before < p_messages),
  ended as (
    delete from order_removals r using pieces p
    where p.count = p.total and r.first_message_id = p.first_message_id and r.account_id = p.account_id),
  begun as (
    update order_removals r set first_message_id = r.first_message_id + p.count, total = r.total - p.count from pieces p
    where p.count < p.total and r.first_message_id = p.first_message_id and r.account_id = p.account_id)
  select array_agg(p.first_message_id + g) into v_ids from pieces p, generate_series(0, p.count - 1) g;
  if v_ids is not null then
    with gone as (delete from messages m where m.id = any (v_ids) returning m.account_id, m.number, m.id)
    delete from message_numbers n using gone g
    where n.account_id = g.account_id and n.number = g.number and n.message_id = g.id;
    return cardinality(v_ids);
  end if;
  with old as (
    select id, account_id from orders
    -- close_after is at the latest p_lasts after the order was sent.
    where close_after < p_before + p_lasts and state in ('finished', 'cancelled', 'failed') and reserved = 0 and submit_at < p_before
      and finished_at < p_before
    order by close_after limit p_messages for update skip locked),
  texts as (
    delete from more_texts t where t.order_id = any (array(select id from old)) and t.account_id = any (array(select account_id from old))),
  columns as (
    delete from order_columns c where c.order_id = any (array(select id from old)) and c.account_id = any (array(select account_id from old))),
  gone as (
    delete from orders x where x.id = any (array(select id from old)) and x.account_id = any (array(select account_id from old))
    returning x.account_id, x.first_message_id, x.total)
  insert into order_removals select account_id, first_message_id, total from gone;
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
