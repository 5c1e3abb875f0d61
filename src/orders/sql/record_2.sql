-- A flush of whoever remembers no submits: receipts found by others, and dispatchers of the release before. See record_3.
create or replace function record_2(p_owner bigint, p_flush bigint, p_submits submit_columns, p_outcomes message_ends,
  p_receipts receipt_columns, p_done chunk_leases, p_close timestamptz, p_slack interval, p_later jsonb)
returns table (settled integer, unmatched integer) language plpgsql as $$
begin
  return query select r.settled, r.unmatched
    from record_3(p_owner, p_flush, p_submits, null, p_outcomes, p_receipts, p_done, p_close, p_slack, p_later) r;
end $$;
