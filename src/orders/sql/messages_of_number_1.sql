-- Ids of an account's messages to one number, newest first: those of ended orders by the table above, those of open ones by
-- looking through the open orders (three small partial indexes).
create or replace function messages_of_number_1(p_account bigint, p_number bigint, p_before bigint, p_most integer) returns setof bigint
language plpgsql stable set jit = off set enable_seqscan = off as $$
begin
  return query
    select x.id from (
      (select n.message_id as id from message_numbers n
        where n.account_id = p_account and n.number = p_number and n.message_id < p_before order by n.message_id desc limit p_most)
      union
      select m.id from (
        select o.first_message_id, o.total from orders o where o.account_id = p_account and o.state = 'sending'
        union all
        select o.first_message_id, o.total from orders o where o.account_id = p_account and o.state = 'scheduled'
        union all
        select o.first_message_id, o.total from orders o where o.account_id = p_account
          and not o.numbered and o.state in ('finished', 'cancelled', 'failed')) o
      cross join lateral (
        select y.id from messages y where y.account_id = p_account
          and y.id between o.first_message_id and o.first_message_id + o.total - 1 and y.number = p_number and y.id < p_before offset 0) m) x
    order by x.id desc limit p_most;
end $$;
