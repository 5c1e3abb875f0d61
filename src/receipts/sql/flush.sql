-- One flush of a dispatcher, all or nothing: accepted parts (s_…); messages that end without a receipt (o_…); rows of the receipt inbox;
-- chunks whose messages all have answers; messages to retry, and messages that may be on the air (p_later, null = none).
create or replace function flush(p_owner bigint, p_flush bigint,
  s_carriers integer[], s_ids text[], s_messages bigint[], s_part smallint[], s_parts smallint[],
  o_messages bigint[], o_statuses smallint[], o_reasons smallint[],
  p_inbox_owner bigint, p_inbox bigint[], p_chunks bigint[], p_tokens bigint[], p_later jsonb,
  out settled integer, out unmatched integer, out mismatched integer) language plpgsql
-- Generic plans: planning each batch costs more than they lose (64 → 55 µs a message over all processes). The steps inherit these settings.
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_last bigint;
  v_place tid;
  v_in receipt_inbox;
begin
  -- The newest version first: docs/decisions/0020-old-snapshots.md.
  select d.flush, d.ctid into v_last, v_place from dispatchers d where d.id between p_owner and p_owner
    order by d.id desc limit 1 for no key update;
  -- A repeat, because the answer to the commit was lost: the flush is stored already.
  if v_last >= p_flush then
    select 0, 0, 0 into settled, unmatched, mismatched;
    return;
  end if;
  -- A dispatcher that was declared dead still stores answers of carriers, but its chunks belong to their new owners.
  if v_last is not null then
    update dispatchers d set flush = p_flush where d.ctid = v_place;
    -- The token proves our lease: a process that was paused past its lease must not delete a chunk of the new owner.
    if cardinality(p_chunks) > 0 then
      delete from chunks k where k.lease_owner is not null and k.lease_token = any (p_tokens) and k.id = any (array(
        select x.id from unnest(p_chunks, p_tokens) u(id, token) cross join lateral (
          select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x));
    end if;
    if p_later is not null then perform put_later(p_later); end if;
  end if;
  if cardinality(s_ids) > 0 then
    insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
      select submit_day(now()), u.* from unnest(s_carriers, s_ids, s_messages, s_part, s_parts) u(carrier_id, smsc_id, message_id, part, parts);
    -- A late answer ends the doubt about a message: it is not sent once more. Parts of a long message are counted when its doubt is decided.
    if exists (select 1 from unsure u where u.decide_at is not null) then
      update unsure u set decide_at = null where (u.message_id, u.account_id, u.attempt) in (
        select x.message_id, x.account_id, x.attempt from unsure x
        where x.message_id = any (s_messages) and x.single and x.decide_at is not null order by x.message_id, x.attempt for update);
    end if;
  end if;
  v_in := take_inbox(p_inbox_owner, p_inbox, s_carriers, s_ids);
  select r.* into settled, unmatched, mismatched from settle_receipts(v_in, o_messages, o_statuses, o_reasons) r;
end $$;
