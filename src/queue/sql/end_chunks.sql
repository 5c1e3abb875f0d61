-- Chunks whose every message has an answer go. Only under our own lease: a process that slept past it must not take a chunk from its new owner.
create or replace function end_chunks(p_chunks bigint[], p_tokens bigint[]) returns void language plpgsql as $$
begin
  delete from chunks k where k.lease_owner is not null and k.lease_token = any (p_tokens) and k.id = any (array(
    select x.id from unnest(p_chunks, p_tokens) u(id, token) cross join lateral (
      select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x));
end $$;
