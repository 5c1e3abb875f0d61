-- The partition of submits, of twelve, that holds the submits of a day.
create or replace function submit_day(p_at timestamptz) returns smallint language sql stable as $$
  select (extract(epoch from p_at)::bigint / 86400 % 12)::smallint
$$;
