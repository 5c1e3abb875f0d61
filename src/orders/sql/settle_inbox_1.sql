-- Settles what dispatchers that are gone had acknowledged and not settled, the oldest row first; returns how many receipts there were.
-- Any number of processes may do this at once, and beside them a dispatcher that was declared dead and does not know it yet.
create or replace function settle_inbox_1() returns integer language plpgsql set jit = off set enable_seqscan = off as $$
declare
  v_row receipt_inbox;
  v_newest bigint;
begin
  select i.* into v_row from receipt_inbox i where i.owner <> all (array(select d.id from dispatchers d))
    order by i.owner, i.no limit 1 for update skip locked;
  if not found then return 0; end if;
  select coalesce(max(r.id), 0) into v_newest from receipts r;
  perform record_2(0, 0, null, null, take_inbox_1(v_row.owner, array[v_row.no], null), null, now(), interval '0', null);
  -- What fits nothing was received then, not now: it tells only of what was written before (adopt_receipts_1).
  update receipts r set received_at = v_row.received_at where r.id > v_newest and r.received_at = now();
  return cardinality(v_row.ids);
end $$;
