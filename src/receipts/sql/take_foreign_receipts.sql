-- Settles receipts that arrived at another cell and belong to a submit of this one; returns their positions (from 1). The other receipts
-- stay in the cell where they arrived.
create or replace function take_foreign_receipts(p_carriers integer[], p_ids text[], p_statuses smallint[], p_reasons smallint[], p_numbers bigint[])
returns integer[] language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_ours integer[];
  v_in receipt_inbox;
begin
  select array_agg(u.place::integer), array_agg(u.carrier), array_agg(u.id), array_agg(u.status), array_agg(u.reason), array_agg(u.number),
      array_agg(0::bigint)
    into v_ours, v_in.carriers, v_in.ids, v_in.statuses, v_in.reasons, v_in.numbers, v_in.messages
    from unnest(p_carriers, p_ids, p_statuses, p_reasons, p_numbers) with ordinality u(carrier, id, status, reason, number, place)
    where (select true from submits s cross join lateral (
        select x.number from messages x where x.id = s.message_id limit 1) m
      where s.carrier_id = u.carrier and s.smsc_id = u.id
        and (u.number = 0 or m.number is null or m.number % 10000000000 = u.number % 10000000000) limit 1);
  if v_ours is null then return '{}'; end if;
  perform settle_receipts(v_in, null, null, null);
  return v_ours;
end $$;
