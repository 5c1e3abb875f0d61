-- Notifications go to everybody in a database, cells may be schemas of one: each has channels of its own.
create or replace function channel(p_name text) returns text language sql stable as $$
  select case current_schema() when 'public' then p_name else p_name || ' ' || current_schema() end
$$;
