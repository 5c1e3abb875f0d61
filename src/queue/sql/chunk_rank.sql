-- The rank of a chunk by the size of its order: 0 for small orders, which are leased first, 1 for large ones.
create or replace function chunk_rank(p_messages integer) returns smallint language sql immutable as $$
  select case when p_messages <= 100 then 0 else 1 end::smallint
$$;
