-- The open messages of a chunk, by its list of ids (places: their positions in it) or its range.
create or replace function chunk_messages(p_chunk chunks)
returns table (ids bigint[], places integer[], numbers bigint[], text_nos integer[], first_text integer, last_text integer,
  orders bigint[], low bigint, high bigint)
language sql stable as $$
  select array_agg(x.id order by x.id), array_agg(x.place order by x.id) filter (where x.place > 0), array_agg(x.number order by x.id),
    array_agg(x.text_no order by x.id), min(x.text_no), max(x.text_no), array_agg(x.order_id order by x.id), min(x.order_id), max(x.order_id)
  from (
    select y.id, 0 as place, y.number, y.text_no, y.order_id from messages y
    where (p_chunk).ids is null and y.account_id = (p_chunk).account_id and y.status = 110
      and y.id between (p_chunk).first_message_id and (p_chunk).first_message_id + (p_chunk).count - 1
    union all
    select y.id, array_position((p_chunk).ids, y.id), y.number, y.text_no, y.order_id from messages y
    where (p_chunk).ids is not null and y.account_id = (p_chunk).account_id and y.status = 110 and y.id = any ((p_chunk).ids)) x
$$;
