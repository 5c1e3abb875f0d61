-- The carrier that serves a number, if there is only one. After the death of a process nobody knows which one a message was written to.
create or replace function only_carrier_of(p_number bigint) returns integer language sql stable as $$
  select min(c.id) from carriers c where c.prefixes = '{}' or exists (select 1 from unnest(c.prefixes) p where starts_with(p_number::text, p))
  having count(*) = 1
$$;
