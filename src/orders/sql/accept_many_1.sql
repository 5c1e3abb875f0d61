-- Nobody calls this since 0.2.0, but programs of the release before: goes with 0.3.0. See accept_many_4.
create or replace procedure accept_many_1(
  p_accounts bigint[], p_senders text[], p_stamps bigint[], p_hooks boolean[], p_twin_locks bigint[], p_twins boolean,
  p_callers integer[], p_sources text[], p_fingerprints bigint[], p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_submit timestamptz, p_close timestamptz, p_duplicates_since timestamptz, p_announce text,
  out r_codes integer[], out r_first_order bigint)
language plpgsql as $$
begin
  call accept_many_4(row(p_accounts, p_senders, p_stamps, p_hooks)::order_callers,
    row(0, null, false, p_submit, p_submit, p_close, p_duplicates_since, 1)::order_terms,
    row(p_callers, p_sources, p_fingerprints, p_texts, p_encodings, p_parts, p_numbers)::plain_orders,
    p_twin_locks, p_twins, p_announce, null, null, null, r_codes, r_first_order);
end $$;
