-- The code of each order, and its id: a new one, or the order that its key was used for. free: how many recipients are not blocked; prices:
-- what those cost. p_reasons: why recipients are blocked; null if none is. Credit is checked in the order of arrival: an order that costs
-- more than is left is refused (402), those after it are not.
create or replace function judge_orders(p_orders new_orders, p_recipients new_recipients, p_reasons smallint[], p_now timestamptz,
  p_alike interval, p_keys interval, out codes integer[], out order_ids bigint[], out free integer[], out prices bigint[])
language plpgsql as $$
declare
  v_parts smallint[] := p_orders.parts;
  -- Some recipients are blocked because they have not consented.
  v_unasked boolean[];
  v_left bigint;
  v_one record;
begin
  if p_reasons is null and p_recipients.credits is null then
    free := p_orders.totals;
    prices := array(select t::bigint * p from unnest(p_orders.totals, v_parts) u(t, p));
  else
    select array_agg(s.free order by s.o), array_agg(s.unasked order by s.o), array_agg(s.price order by s.o) into free, v_unasked, prices from (
      select coalesce(r.o, 1) as o, count(*) filter (where coalesce(r.reason, 0) = 0) as free, bool_or(r.reason = 3) as unasked,
        coalesce(sum(coalesce(r.credits, v_parts[coalesce(r.o, 1)])) filter (where coalesce(r.reason, 0) = 0), 0) as price
      from unnest(p_recipients.owners, p_reasons, p_recipients.credits, p_recipients.numbers) r(o, reason, credits) group by 1) s;
  end if;
  -- After the locks: only a statement that begins now sees a duplicate that was committed meanwhile.
  select array_agg(j.code order by j.place), array_agg(case j.code when 200 then nextval('order_ids') else coalesce(j.order_id, 0) end order by j.place)
    into codes, order_ids
    from (
      select o.place, k.order_id, case
          when o.stamp > 0 and o.stamp is distinct from (select a.stamp from accounts a where a.id = o.account) then 0
          when k.order_id is not null then case when k.body_digest = o.digest then 208 else 422 end
          when o.free = 0 then case when o.unasked then 469 else 452 end
          -- "exists" could be planned as a hash of all orders.
          when o.repeatable and (select true from duplicates(o.account, o.fingerprint, p_now - p_alike) limit 1) then 451
          else 200 end as code
      from unnest(p_orders.accounts, p_orders.stamps, p_orders.fingerprints, p_orders.repeatable, p_orders.digests, p_orders.keys,
          free, v_unasked) with ordinality o(account, stamp, fingerprint, repeatable, digest, key, free, unasked, place)
      left join lateral (
        select i.order_id, i.body_digest from idempotency_keys i
        where i.account_id = o.account and i.key = o.key and i.created_at > p_now - p_keys offset 0) k on o.key is not null) j;
  for v_one in
    select s.account, b.sms from (
      select u.account, sum(u.price) as price from unnest(p_orders.accounts, prices, codes) u(account, price, code) where u.code = 200 group by 1) s
    left join lateral (
      -- Finds the newest row version first: docs/decisions/0020-old-snapshots.md.
      select x.sms from balances x where x.account_id between s.account and s.account order by x.account_id desc limit 1) b on true
    where s.price > coalesce(b.sms, 0)
  loop
    v_left := coalesce(v_one.sms, 0);
    for i in 1 .. cardinality(p_orders.accounts) loop
      continue when p_orders.accounts[i] <> v_one.account or codes[i] <> 200;
      if prices[i] > v_left then codes[i] := 402; else v_left := v_left - prices[i]; end if;
    end loop;
  end loop;
end $$;
