-- Whether a chunk is of small orders (0) or of large ones (1), by how many messages the order has: small ones are leased first.
create or replace function chunk_rank(p_messages integer) returns smallint language sql immutable as $$
  select case when p_messages <= 100 then 0 else 1 end::smallint
$$;
