-- Advisory locks belong to a database, cells may be schemas of one: what tells their locks apart. Nothing in the schema `public`, so that
-- programs of the release before mean the same locks.
create or replace function lock_salt_1() returns bigint language sql stable as $$
  select case current_schema() when 'public' then 0 else hashtextextended(current_schema(), 7030) end
$$;
