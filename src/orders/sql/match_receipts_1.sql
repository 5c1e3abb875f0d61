-- Receipt and answer of one submit may be stored by two processes at the same moment, each unable to see the other's. What
-- has met in the tables since is settled here. Only the newest receipts are looked at: older ones met long ago, or never will.
create or replace function match_receipts_1(p_newest integer) returns integer language plpgsql set jit = off set enable_seqscan = off as $$
declare
  v_met receipt_columns;
begin
  with taken as (
    delete from receipts r where r.id in (
      select x.id from (select * from receipts order by id desc limit p_newest) x
      where x.received_at > now() - interval '10 minutes'
        and (select true from submissions s where s.carrier_id = x.carrier_id and s.smsc_id = x.smsc_id
          and not exists (select 1 from account_fences f where f.account_id = s.account_id) limit 1))
    returning r.carrier_id, r.smsc_id, r.status, r.reason, r.number)
  select array_agg(carrier_id), array_agg(smsc_id), array_agg(status), array_agg(reason), array_agg(number), array_agg(false)
    into v_met.carriers, v_met.ids, v_met.statuses, v_met.reasons, v_met.numbers, v_met.repeated from taken;
  if v_met.ids is null then return 0; end if;
  perform record_2(0, 0, null, null, v_met, null, now(), interval '0', null);
  return cardinality(v_met.ids);
end $$;
