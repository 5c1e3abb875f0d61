-- One flush of a dispatcher, all of it or nothing: submits the carrier accepted; outcomes known without a receipt; final receipts
-- (in any order relative to the submits); chunks whose every message has an answer; new chunks for messages to try again or to
-- resolve (p_later, null = none). p_fresh: submits that it remembers, and what it knows by them (null = none); is_forgotten: it must
-- not rely on any of them from now on; last_receipt: the newest that fits nothing, when there may be a new one. p_close, p_slack: see put_off_closing_1.
create or replace function record_3(p_owner bigint, p_flush bigint, p_submits submit_columns, p_fresh fresh_columns, p_outcomes message_ends,
  p_receipts receipt_columns, p_done chunk_leases, p_close timestamptz, p_slack interval, p_later jsonb)
returns table (settled integer, unmatched integer, is_forgotten boolean, last_receipt bigint) language plpgsql
-- Planning anew for each batch costs more than the generic plan loses: 64 → 55 µs a message over all processes. The steps
-- inherit these settings.
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_flush record;
  v_known record;
  v_read record;
  v_spent tid[];
  v_orders bigint[];
  v_ends message_ends := p_outcomes;
begin
  settled := 0;
  unmatched := 0;
  is_forgotten := false;
  v_flush := begin_flush_1(p_owner, p_flush);
  if v_flush.is_repeat then
    return next;
    return;
  end if;
  if cardinality(p_done.chunks) > 0 and v_flush.is_owner then v_orders := end_chunks(p_done); end if;
  if p_fresh.messages is not null then
    is_forgotten := not (v_flush.is_owner and fresh_stand_1(p_owner, p_fresh, coalesce(cardinality(p_receipts.ids), 0)));
    if is_forgotten then
      perform ripen_submits_1(p_owner, 0, 9223372036854775807);
      p_submits := add_fresh_1(p_submits, p_fresh);
    else
      perform keep_fresh_1(p_owner, p_flush, p_fresh);
      v_known := known_receipts_1(p_receipts, p_fresh);
      v_ends := add_ends_1(v_known.ends, p_outcomes);
      p_receipts := v_known.unknown;
    end if;
  end if;
  if cardinality(p_submits.ids) > 0 then p_receipts := store_submits_1(p_submits, p_receipts); end if;
  if cardinality(p_receipts.ids) > 0 then
    v_read := read_receipts_1(p_receipts, v_ends.messages);
    v_ends := add_ends_1(v_read.ends, v_ends);
    v_spent := v_read.spent;
    unmatched := v_read.unmatched;
  end if;
  if v_orders is not null then perform put_off_closing_1(v_orders, v_ends.messages, p_close, p_slack); end if;
  if cardinality(v_ends.messages) > 0 then
    settled := settle_1(v_ends.accounts, v_ends.messages, v_ends.statuses, v_ends.reasons);
    -- Some had come to their end before: repeats, or delivered after all.
    if settled < cardinality(v_ends.messages) and 111 = any (v_ends.statuses) then
      perform note_late_1(v_ends.accounts, v_ends.messages, v_ends.statuses);
    end if;
  end if;
  -- Last: a submission is touched by whoever holds its message, or by nobody who still wants anything.
  if v_spent is not null then delete from submissions s where s.ctid = any (v_spent); end if;
  if p_later is not null and v_flush.is_owner then perform requeue(p_later); end if;
  if unmatched > 0 or is_forgotten then last_receipt := (select r.id from receipts r order by r.id desc limit 1); end if;
  return next;
end $$;
