-- Receipts about messages that are not here any more, though a submit or a dispatcher knew them: their account moved to another cell, to which
-- they are offered. Asked after settling: while an account leaves, its messages are locked.
create or replace function keep_foreign(p_in receipt_inbox) returns void language plpgsql as $$
begin
  if not exists (select 1 from cells where id > 0) and not exists (select 1 from this_cell) then return; end if;
  insert into receipts (carrier_id, smsc_id, status, reason, number, received_at)
    select u.carrier, u.id, u.status, u.reason, u.number, coalesce(p_in.received_at, now())
    from unnest(p_in.carriers, p_in.ids, p_in.statuses, p_in.reasons, p_in.numbers, p_in.messages) u(carrier, id, status, reason, number, message)
    where u.message > 0 and (select true from messages m where m.id = u.message limit 1) is null;
end $$;
