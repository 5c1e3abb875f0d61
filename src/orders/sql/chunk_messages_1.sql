-- The messages of a chunk that have not come to their end, by their ids or as a range.
create or replace function chunk_messages_1(p_account bigint, p_ids bigint[], p_first bigint, p_count integer)
returns table (ids bigint[], numbers bigint[], text_nos integer[]) language sql stable as $$
  select array_agg(x.id order by x.id), array_agg(x.number order by x.id), array_agg(x.text_no order by x.id)
  from (
    select y.id, y.number, y.text_no from messages y where p_ids is null and y.account_id = p_account and y.status = 110
      and y.id between p_first and p_first + p_count - 1
    union all
    select y.id, y.number, y.text_no from messages y where p_ids is not null and y.account_id = p_account and y.status = 110
      and y.id = any (p_ids)) x
$$;
