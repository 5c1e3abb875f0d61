-- Erases a number from these messages of an account if their orders have ended: the number, its entry in the index, texts that only these
-- messages had, and the columns of their lists, which cannot be separated. Counts, prices and states stay. Returns how many. Messages are
-- locked before orders (docs/decisions/0008-lock-order.md).
create or replace function erase_messages(p_account bigint, p_number bigint, p_ids bigint[]) returns integer language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  v_ids bigint[];
  v_orders bigint[];
  v_texts integer[];
begin
  with erased as (
    update messages m set number = null, given = '***'
    where m.account_id = p_account and m.id = any (p_ids) and m.number = p_number
      and exists (select 1 from orders o where o.id = m.order_id and o.account_id = m.account_id and o.state in ('finished', 'cancelled', 'failed'))
    returning m.id, m.order_id, m.text_no)
  select array_agg(id), array_agg(order_id), array_agg(text_no) into v_ids, v_orders, v_texts from erased;
  if v_ids is null then return 0; end if;
  delete from message_numbers n where n.account_id = p_account and n.number = p_number and n.message_id = any (v_ids);
  delete from order_columns c where c.account_id = p_account and c.order_id = any (v_orders);
  -- The first text of an order is stored in the order.
  with alone as (
    select u.order_id, u.no from unnest(v_orders, v_texts) u(order_id, no)
    join orders o on o.id = u.order_id and o.account_id = p_account
    where not exists (select 1 from messages m where m.account_id = p_account
      and m.id between o.first_message_id and o.first_message_id + o.total - 1 and m.text_no = u.no and m.number is not null)),
  more as (
    update more_texts t set text = '' from alone a where t.order_id = a.order_id and t.no = a.no and t.account_id = p_account)
  update orders o set text = '' from alone a where o.id = a.order_id and o.account_id = p_account and a.no = 1;
  return cardinality(v_ids);
end $$;
