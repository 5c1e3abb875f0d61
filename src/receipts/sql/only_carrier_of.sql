-- The carrier that serves a number, if there is only one: over which one a message was written is not known after the death of a process.
create or replace function only_carrier_of(p_number bigint) returns integer language sql stable as $$
  select min(c.id) from carriers c where c.prefixes = '{}' or exists (select 1 from unnest(c.prefixes) p where starts_with(p_number::text, p))
  having count(*) = 1
$$;
