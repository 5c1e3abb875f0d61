-- In which of the twelve partitions of submits a day's submits are.
create or replace function submit_day(p_at timestamptz) returns smallint language sql stable as $$
  select (extract(epoch from p_at)::bigint / 86400 % 12)::smallint
$$;
