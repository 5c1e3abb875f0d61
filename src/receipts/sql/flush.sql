-- One flush of a dispatcher, all of it or nothing: parts that carriers took (s_…); messages that end without a receipt (o_…); rows of the
-- receipt inbox; chunks whose every message has an answer; messages to try again, or that may be on the air (p_later, null = none).
create or replace function flush(p_owner bigint, p_flush bigint,
  s_carriers integer[], s_ids text[], s_messages bigint[], s_part smallint[], s_parts smallint[],
  o_messages bigint[], o_statuses smallint[], o_reasons smallint[],
  p_inbox_owner bigint, p_inbox bigint[], p_chunks bigint[], p_tokens bigint[], p_later jsonb,
  out settled integer, out unmatched integer, out mismatched integer) language plpgsql
-- Planning anew for each batch costs more than the generic plan loses: 64 → 55 µs a message over all processes. The steps inherit these settings.
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_flush record;
  v_in receipt_inbox;
  v_match record;
begin
  settled := 0;
  unmatched := 0;
  mismatched := 0;
  v_flush := begin_flush(p_owner, p_flush);
  if v_flush.is_repeat then return; end if;
  -- A dispatcher that was declared dead still tells what carriers said. Its chunks are for their new owners to decide about.
  if v_flush.is_owner and cardinality(p_chunks) > 0 then perform end_chunks(p_chunks, p_tokens); end if;
  if v_flush.is_owner and p_later is not null then perform put_later(p_later); end if;
  if cardinality(s_ids) > 0 then perform store_submits(s_carriers, s_ids, s_messages, s_part, s_parts); end if;
  v_in := take_inbox(p_inbox_owner, p_inbox, s_carriers, s_ids);
  if 0 = any (v_in.messages) then
    v_match := match(v_in, o_messages);
    v_in.messages := v_match.messages;
    unmatched := v_match.unmatched;
    mismatched := v_match.mismatched;
  end if;
  if 112 = any (v_in.statuses) then perform keep_final_words(v_in.messages, v_in.statuses, v_in.reasons); end if;
  settled := settle(o_messages || v_in.messages, o_statuses || v_in.statuses, o_reasons || v_in.reasons);
  if settled < cardinality(v_in.messages) + coalesce(cardinality(o_messages), 0) then perform keep_foreign(v_in); end if;
end $$;
