-- A number of this schema for keys of advisory locks: locks belong to a database, and cells may be schemas of one. It is the first of two
-- keys, or combined with a single key.
create or replace function lock_salt() returns integer language sql stable as $$
  select case current_schema() when 'public' then 0 else hashtext(current_schema()) end
$$;
