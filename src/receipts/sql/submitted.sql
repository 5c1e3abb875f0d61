-- Messages between these two of which a carrier took at least a part.
create or replace function submitted(p_first bigint, p_last bigint) returns table (message_id bigint) language sql stable as $$
  select distinct s.message_id from submits s where s.message_id >= p_first and s.message_id <= p_last
$$;
