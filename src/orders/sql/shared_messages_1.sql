-- The messages of a chunk that several orders share, as far as they have not come to their end, with the text of each.
create or replace function shared_messages_1(p_account bigint, p_first bigint, p_count integer)
returns table (ids bigint[], numbers bigint[], texts json, encodings bigint[]) language sql stable as $$
  select array_agg(m.id order by m.id), array_agg(m.number order by m.id), json_agg(o.text order by m.id),
    array_agg(o.encoding::bigint order by m.id)
  from messages m
  cross join lateral (
    select x.text, x.encoding from orders x where x.id = m.order_id and x.account_id = p_account offset 0) o
  where m.account_id = p_account and m.status = 110 and m.id between p_first and p_first + p_count - 1
$$;
