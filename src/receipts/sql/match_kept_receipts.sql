-- Settles unmatched receipts whose submit another process stored at the same moment, neither seeing the other's row. It reads the newest
-- p_most ones below p_below (null = all). met: how many were settled. older: the next round reads below this id; null: no older receipt can
-- still be matched.
create or replace function match_kept_receipts(p_most integer, p_below bigint, out met integer, out older bigint) language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_in receipt_inbox;
  v_unmatched integer;
  v_ids bigint[] := array(
    select r.id from receipts r where r.id < coalesce(p_below, 9223372036854775807) order by r.id desc limit p_most);
begin
  select r.id into older from receipts r where r.id = v_ids[p_most] and r.received_at > now() - interval '10 minutes';
  with taken as (
    delete from receipts r where r.id = any (array(
      select x.id from receipts x where x.id = any (v_ids) and x.received_at > now() - interval '10 minutes'
        -- Not "exists", which may be planned as a hash of all submits. The message of a test message is minus its number.
        and (select true from submits s left join messages m on m.id = s.message_id
          where s.carrier_id = x.carrier_id and s.smsc_id = x.smsc_id and (m.id is not null or s.message_id < 0)
            and (coalesce(x.number, 0) = 0
              or coalesce(m.number, case when s.message_id < 0 then -s.message_id end, x.number) % 10000000000 = x.number % 10000000000)
          limit 1)
      order by x.id))
    returning r.*)
  select 0, 0, min(received_at), array_agg(carrier_id), array_agg(smsc_id), array_agg(status), array_agg(reason), array_agg(coalesce(number, 0)),
      array_agg(0::bigint)
    into v_in from taken;
  met := 0;
  if v_in.ids is null then return; end if;
  select r.unmatched into v_unmatched from settle_receipts(v_in, null, null, null) r;
  met := cardinality(v_in.ids) - v_unmatched;
end $$;
