-- Duplicates (the same order, or the same idempotency key) wait for each other until the transaction ends.
create or replace function wait_for_duplicates_1(p_account bigint, p_fingerprint bigint, p_key text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(p_fingerprint # p_account);
  if p_key is not null then perform pg_advisory_xact_lock(hashtextextended(p_key, p_account)); end if;
  return true;
end $$;
