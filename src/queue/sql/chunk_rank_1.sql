create or replace function chunk_rank_1(p_messages integer) returns smallint language sql immutable as $$
  select case when p_messages <= 100 then 0 else 1 end::smallint
$$;
