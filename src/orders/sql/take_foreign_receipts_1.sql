-- Receipts that arrived at another cell: those about a submit of this one are settled, and which those were is returned (counted from
-- 1). The others are left alone: where they came from keeps them.
create or replace function take_foreign_receipts_1(p_receipts receipt_columns) returns integer[] language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  v_ours integer[];
  v_known receipt_columns;
begin
  -- Whoever asks with a receipt of ours in hand is told "not of this cell" for good.
  perform ripen_submits_1(null, 0, 9223372036854775807);
  select array_agg(u.place::integer), array_agg(u.carrier_id), array_agg(u.smsc_id), array_agg(u.status), array_agg(u.reason), array_agg(u.number),
      array_agg(u.repeated)
    into v_ours, v_known.carriers, v_known.ids, v_known.statuses, v_known.reasons, v_known.numbers, v_known.repeated
    from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons, p_receipts.numbers, p_receipts.repeated)
      with ordinality u(carrier_id, smsc_id, status, reason, number, repeated, place)
    where (select true from submissions s where s.carrier_id = u.carrier_id and s.smsc_id = u.smsc_id
      and not exists (select 1 from account_fences f where f.account_id = s.account_id) limit 1);
  if v_ours is null then return '{}'; end if;
  perform record_2(0, 0, null, null, v_known, null, now(), interval '0', null);
  return v_ours;
end $$;
