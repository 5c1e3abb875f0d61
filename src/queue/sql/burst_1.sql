-- How many messages of the transactional lane may leave at once: a tenth of a second's worth, at least 10. The same in
-- src/sending (account-pace.ts); shared-rules.test.ts compares.
create or replace function burst_1(p_rate integer) returns integer language sql immutable as $$
  select greatest(10, p_rate / 10)
$$;
