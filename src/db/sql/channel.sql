-- The channel name of this schema: notifications reach a whole database, and cells may be schemas of one.
create or replace function channel(p_name text) returns text language sql stable as $$
  select case current_schema() when 'public' then p_name else p_name || ' ' || current_schema() end
$$;
