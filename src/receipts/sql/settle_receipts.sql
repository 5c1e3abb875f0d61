-- Settles receipts, and messages that end without one (o_…). A receipt that came without its message (0) is matched first. If a message was
-- closed for lack of a receipt or an answer and its carrier reports a failure, the message gets the carrier's reason, and no later delivery
-- corrects it. Returns how many messages ended, how many receipts are unmatched, and how many of those have an id that is known for another
-- number. A receipt of a message whose account moved to another cell is stored for that cell. This is checked after settling, because the
-- messages of an account are locked while it moves.
create or replace function settle_receipts(p_in receipt_inbox, o_messages bigint[], o_statuses smallint[], o_reasons smallint[],
  out settled integer, out unmatched integer, out mismatched integer) language plpgsql as $$
declare
  v_match record;
begin
  select 0, 0 into unmatched, mismatched;
  if 0 = any (p_in.messages) then
    v_match := match(p_in, o_messages);
    p_in.messages := v_match.messages;
    unmatched := v_match.unmatched;
    mismatched := v_match.mismatched;
  end if;
  if 112 = any (p_in.statuses) then
    update messages m set reason = u.reason
      from (select * from unnest(p_in.messages, p_in.statuses, p_in.reasons) x(id, status, reason) where x.status = 112 and x.id > 0 order by x.id) u
      where m.id = any (p_in.messages) and m.id = u.id and m.status = 112 and m.reason in (14, 15);
  end if;
  settled := settle(o_messages || p_in.messages, o_statuses || p_in.statuses, o_reasons || p_in.reasons);
  if settled = coalesce(cardinality(o_messages), 0) + coalesce(cardinality(p_in.messages), 0)
      or not exists (select 1 from cells where id > 0) and not exists (select 1 from this_cell) then return; end if;
  insert into receipts (carrier_id, smsc_id, status, reason, number, received_at)
    select u.carrier, u.id, u.status, u.reason, u.number, coalesce(p_in.received_at, now())
    from unnest(p_in.carriers, p_in.ids, p_in.statuses, p_in.reasons, p_in.numbers, p_in.messages) u(carrier, id, status, reason, number, message)
    where u.message > 0 and (select true from messages m where m.id = u.message limit 1) is null;
end $$;
