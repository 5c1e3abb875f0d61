-- Chunks whose every message has an answer go; returns their orders. Only under our own lease: a process that slept past it must
-- not take the chunk from its new owner.
create or replace function end_chunks(p_done chunk_leases) returns bigint[] language plpgsql as $$
declare
  v_orders bigint[];
begin
  with done as (
    delete from chunks k where k.lease_owner is not null and k.lease_token = any (p_done.tokens) and k.id = any (array(
      select x.id from unnest(p_done.chunks, p_done.tokens) u(id, token) cross join lateral (
        select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x))
    returning k.account_id, k.first_message_id, k.count, k.ids)
  -- Orders of a range were accepted together, so their ids stand side by side.
  select array_agg(x.id) into v_orders from (
    select s as id from done d cross join lateral (
      select min(m.order_id) as low, max(m.order_id) as high from messages m
      where m.account_id = d.account_id and m.id = any (coalesce(d.ids, array[d.first_message_id, d.first_message_id + d.count - 1]))) e
    cross join lateral generate_series(e.low, least(e.high, e.low + d.count)) s
    where d.ids is null
    union
    select m.order_id from done d join messages m on m.account_id = d.account_id and m.id = any (d.ids) where d.ids is not null) x;
  return v_orders;
end $$;
