-- Chunks whose every message has an answer go; returns their orders. Only under our own lease: a process that slept past it must
-- not take the chunk from its new owner.
create or replace function end_chunks_1(p_done chunk_leases) returns bigint[] language plpgsql as $$
declare
  v_orders bigint[];
begin
  with done as (
    delete from chunks k where k.lease_owner is not null and k.lease_token = any (p_done.tokens) and k.id = any (array(
      select x.id from unnest(p_done.chunks, p_done.tokens) u(id, token) cross join lateral (
        select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x))
    returning k.order_id, k.count, k.shared)
  select array_agg(d.order_id + s) into v_orders from done d
    cross join lateral generate_series(0, case when d.shared then d.count - 1 else 0 end) s;
  return v_orders;
end $$;
