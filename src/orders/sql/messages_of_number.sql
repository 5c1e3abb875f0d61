-- Ids of an account's messages to one number, newest first: of ended orders by message_numbers; of open orders, and of ended ones that are
-- not indexed yet, by scanning their messages.
create or replace function messages_of_number(p_account bigint, p_number bigint, p_before bigint, p_most integer) returns setof bigint
language plpgsql stable set jit = off set enable_seqscan = off as $$
begin
  return query
    select x.id from (
      (select n.message_id as id from message_numbers n
        where n.account_id = p_account and n.number = p_number and n.message_id < p_before order by n.message_id desc limit p_most)
      union
      select m.id from (
        select o.first_message_id, o.total from open_orders(p_account) o
        union all
        select q.first_message_id, q.total from number_queue q where q.account_id = p_account) o
      cross join lateral (
        select y.id from messages y where y.account_id = p_account
          and y.id between o.first_message_id and o.first_message_id + o.total - 1 and y.number = p_number and y.id < p_before offset 0) m) x
    order by x.id desc limit p_most;
end $$;
