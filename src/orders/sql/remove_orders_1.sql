-- One step, either of two: deletes at most p_messages messages of orders that are gone, or takes in ended orders older than
-- p_before. Never both at once: messages are locked before orders (docs/decisions/0008-lock-order.md). Returns rows removed.
create or replace function remove_orders_1(p_before timestamptz, p_messages integer) returns integer language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  r record;
  v_removed integer := 0;
  v_count integer;
begin
  for r in select * from order_removals x where not exists (select 1 from account_fences f where f.account_id = x.account_id)
    order by first_message_id limit 50 for update skip locked loop
    exit when v_removed >= p_messages;
    with gone as (
      delete from messages m where m.account_id = r.account_id and m.id = any (array(
        select x.id from messages x where x.account_id = r.account_id and x.id between r.first_message_id and r.first_message_id + r.total - 1
        limit p_messages - v_removed))
      returning m.account_id, m.number, m.id),
    unnumbered as (
      delete from message_numbers n using gone g where n.account_id = g.account_id and n.number = g.number and n.message_id = g.id)
    select count(*) into v_count from gone;
    v_removed := v_removed + v_count;
    if v_removed < p_messages then
      delete from order_removals x where x.first_message_id = r.first_message_id and x.account_id = r.account_id;
    end if;
  end loop;
  if v_removed > 0 then return v_removed; end if;
  with old as (
    select id, account_id from orders
    where state in ('finished', 'cancelled', 'failed') and reserved = 0 and submit_at < p_before and finished_at < p_before
      and not exists (select 1 from account_fences f where f.account_id = orders.account_id)
    order by submit_at limit 50 for update skip locked),
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
