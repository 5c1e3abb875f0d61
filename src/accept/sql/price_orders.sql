-- Of each order: how many recipients may be written to, whether some may not for want of consent, and what those who may cost.
create or replace function price_orders(p_orders new_orders, p_recipients new_recipients, p_reasons smallint[],
  out free integer[], out unasked boolean[], out prices bigint[]) language plpgsql as $$
declare
  v_parts smallint[] := p_orders.parts;
begin
  if p_reasons is null and p_recipients.credits is null then
    free := p_orders.totals;
    prices := array(select t::bigint * p from unnest(p_orders.totals, v_parts) u(t, p));
    return;
  end if;
  select array_agg(s.free order by s.o), array_agg(s.unasked order by s.o), array_agg(s.price order by s.o) into free, unasked, prices from (
    select coalesce(r.o, 1) as o, count(*) filter (where coalesce(r.reason, 0) = 0) as free, bool_or(r.reason = 3) as unasked,
      coalesce(sum(coalesce(r.credits, v_parts[coalesce(r.o, 1)])) filter (where coalesce(r.reason, 0) = 0), 0) as price
    from unnest(p_recipients.owners, p_reasons, p_recipients.credits, p_recipients.numbers) r(o, reason, credits) group by 1) s;
end $$;
