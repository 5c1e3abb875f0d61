-- What is answered to each of these orders, credit apart, and its id: of the order that its key was used for, or a new one.
create or replace function judge_orders(p_orders new_orders, p_free integer[], p_unasked boolean[], p_now timestamptz, p_alike interval,
  p_keys interval, out codes integer[], out order_ids bigint[]) language plpgsql as $$
begin
  select array_agg(j.code order by j.place), array_agg(case j.code when 200 then nextval('order_ids') else coalesce(j.order_id, 0) end order by j.place)
    into codes, order_ids
    from (
      select o.place, k.order_id, case
          when o.stamp > 0 and o.stamp is distinct from (select a.stamp from accounts a where a.id = o.account) then 0
          when k.order_id is not null then case when k.body_digest = o.digest then 208 else 422 end
          when o.free = 0 then case when o.unasked then 469 else 452 end
          -- Not "exists", which may be planned as a hash of all orders.
          when o.repeatable and (select true from duplicates_1(o.account, o.fingerprint, p_now - p_alike) limit 1) then 451
          else 200 end as code
      from unnest(p_orders.accounts, p_orders.stamps, p_orders.fingerprints, p_orders.repeatable, p_orders.digests, p_orders.keys,
          p_free, p_unasked) with ordinality o(account, stamp, fingerprint, repeatable, digest, key, free, unasked, place)
      left join lateral (
        select i.order_id, i.body_digest from idempotency_keys i
        where i.account_id = o.account and i.key = o.key and i.created_at > p_now - p_keys offset 0) k on o.key is not null) j;
end $$;
