-- Messages of a chunk that are in other chunks of its account too, because they were put off one by one.
create or replace function elsewhere(p_chunk chunks) returns bigint[] language sql stable as $$
  select array(select i from chunks k cross join lateral unnest(k.ids) i
    where k.account_id = p_chunk.account_id and k.ids is not null and k.id <> p_chunk.id and i between p_chunk.first_message_id
      and coalesce(p_chunk.ids[p_chunk.count], p_chunk.first_message_id + p_chunk.count - 1)) $$;
