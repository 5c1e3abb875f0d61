-- Settles an inbox row of a dead dispatcher; returns how many receipts it held. Any number of processes may call it at once. Submits that
-- only the dead dispatcher knew are stored from the row, because their receipts may be repeated.
create or replace function settle_inbox(p_owner bigint, p_no bigint) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_row receipt_inbox;
begin
  select i.* into v_row from receipt_inbox i where i.owner = p_owner and i.no = p_no for update skip locked;
  if not found then return 0; end if;
  insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
    select submit_day(now()), u.carrier, u.id, u.message, 1, 1 from unnest(v_row.carriers, v_row.ids, v_row.messages) u(carrier, id, message)
    where u.message > 0 and u.carrier > 0
      and (select true from submits s where s.carrier_id = u.carrier and s.smsc_id = u.id and s.message_id = u.message limit 1) is null;
  perform flush(0, 0, null, null, null, null, null, null, null, null, p_owner, array[p_no], null, null, null);
  return cardinality(v_row.ids);
end $$;
