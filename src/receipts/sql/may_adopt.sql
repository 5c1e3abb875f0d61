-- Not where a receipt may be about a message that this database does not know: of another cell, or lost with data within three days.
create or replace function may_adopt() returns boolean language sql stable as $$
  select not exists (select 1 from cells where id > 0 and removed_at is null) and not exists (select 1 from this_cell)
    and not exists (select 1 from data_home where lost_at > now() - interval '3 days')
$$;
