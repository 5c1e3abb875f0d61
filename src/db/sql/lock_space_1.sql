-- Of locks with two keys: the first, told apart likewise (lock_salt_1).
create or replace function lock_space_1(p_space integer) returns integer language sql stable as $$
  select p_space # case current_schema() when 'public' then 0 else hashtext(current_schema()) end
$$;
