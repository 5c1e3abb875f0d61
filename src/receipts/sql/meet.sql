-- Receipts and submits that two processes stored at the same moment, neither seeing the other's; returns how many met. Older ones met long
-- ago, or never will.
create or replace function meet(p_most integer) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_met receipt_inbox;
  v_match record;
begin
  with met as (
    delete from receipts r where r.id = any (array(
      select x.id from (select * from receipts order by id desc limit p_most) x
      where x.received_at > now() - interval '10 minutes' and not x.mismatch
        -- Not "exists", which may be planned as a hash of all submits.
        and (select true from submits s where s.carrier_id = x.carrier_id and s.smsc_id = x.smsc_id limit 1)
      order by x.id))
    returning r.*)
  select 0, 0, min(received_at), array_agg(carrier_id), array_agg(smsc_id), array_agg(status), array_agg(reason), array_agg(coalesce(number, 0)),
      array_agg(0::bigint)
    into v_met from met;
  if v_met.ids is null then return 0; end if;
  v_match := match(v_met, null);
  perform settle(v_match.messages, v_met.statuses, v_met.reasons);
  v_met.messages := v_match.messages;
  perform keep_foreign(v_met);
  return (select count(*) from unnest(v_match.messages) m where m <> 0);
end $$;
