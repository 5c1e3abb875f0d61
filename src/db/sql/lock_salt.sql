-- Advisory locks belong to a database, cells may be schemas of one: their keys are combined with this, so that the locks of one cell are
-- none of another's. Of locks with two keys it is the first.
create or replace function lock_salt() returns integer language sql stable as $$
  select case current_schema() when 'public' then 0 else hashtext(current_schema()) end
$$;
