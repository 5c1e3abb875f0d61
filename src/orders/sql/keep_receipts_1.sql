-- Keeps the receipts at these places, which fit nothing yet, unless they repeat what was stored before. Returns how many. Joined, not
-- compared with a list: where cells share a carrier's login two of three receipts are among them.
create or replace function keep_receipts_1(p_receipts receipt_columns, p_places bigint[]) returns integer language plpgsql
set jit = off set enable_nestloop = off as $$
declare
  v_kept integer;
begin
  insert into receipts (carrier_id, smsc_id, status, reason, number)
    select r.carrier, r.id, r.status, r.reason, r.number
    from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons, p_receipts.numbers, p_receipts.repeated)
      with ordinality r(carrier, id, status, reason, number, repeated, place)
    join unnest(p_places) m(place) on m.place = r.place
    where not r.repeated order by r.place;
  get diagnostics v_kept = row_count;
  return v_kept;
end $$;
