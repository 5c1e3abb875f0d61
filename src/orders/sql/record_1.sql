-- Nobody calls this since 0.2.0, but programs of the release before: goes with 0.3.0. See record_2.
create or replace function record_1(p_owner bigint, p_flush bigint,
  s_carriers integer[], s_ids text[], s_accounts bigint[], s_messages bigint[], s_part smallint[], s_parts smallint[],
  o_accounts bigint[], o_messages bigint[], o_statuses smallint[], o_reasons smallint[],
  r_carriers integer[], r_ids text[], r_statuses smallint[], r_reasons smallint[], r_numbers bigint[],
  r_repeated boolean[], c_chunks bigint[], c_tokens bigint[], p_close timestamptz, p_slack interval, p_later jsonb)
returns table (settled integer, unmatched integer) language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
begin
  return query select r.* from record_2(p_owner, p_flush,
    row(s_carriers, s_ids, s_accounts, s_messages, s_part, s_parts)::submit_columns,
    row(o_accounts, o_messages, o_statuses, o_reasons)::message_ends,
    row(r_carriers, r_ids, r_statuses, r_reasons, r_numbers, r_repeated)::receipt_columns,
    row(c_chunks, c_tokens)::chunk_leases, p_close, p_slack, p_later) r;
end $$;
