-- The messages of a chunk that was set aside.
create or replace function quarantined_messages(p_chunk chunks) returns table (message_id bigint, order_id bigint) language sql stable as $$
  select m.id, m.order_id from messages m
  where m.account_id = (p_chunk).account_id and m.status = 110 and m.id = any (coalesce((p_chunk).ids, array(
    select generate_series((p_chunk).first_message_id, (p_chunk).first_message_id + (p_chunk).count - 1))))
$$;
