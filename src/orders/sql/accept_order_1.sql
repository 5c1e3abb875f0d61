-- Nobody calls this since 0.2.0, but programs of the release before: goes with 0.3.0. See accept_order_2.
create or replace function accept_order_1(
  p_account bigint, p_sender text, p_lane smallint, p_list text, p_source text,
  p_submit timestamptz, p_send timestamptz, p_close timestamptz, p_scheduled boolean, p_fingerprint bigint,
  p_duplicates_since timestamptz, p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_text_nos integer[], p_bad_at integer[], p_bad_text text[], p_chunk integer,
  p_key text, p_key_digest bytea, p_key_since timestamptz, p_copied boolean default false,
  out code integer, out order_id bigint, out replayed boolean, out first_id bigint, out price bigint, out blocked smallint[])
language plpgsql as $$
begin
  select a.* into code, order_id, replayed, first_id, price, blocked from accept_order_2(p_account, p_sender, p_source, p_fingerprint,
    row(p_lane, p_list, p_scheduled, p_submit, p_send, p_close, p_duplicates_since, p_chunk)::order_terms,
    row(p_texts, p_encodings, p_parts)::text_columns, row(p_numbers, p_text_nos, p_bad_at, p_bad_text, null)::recipient_columns,
    row(p_key, p_key_digest, p_key_since)::idempotency_claim, p_copied) a;
end $$;
