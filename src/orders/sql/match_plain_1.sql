-- Which submissions receipts tell of, where each tells of one at most and no two of the same: nearly always. One walk over the index
-- for all of them: 3.2 µs a receipt, and 7.2 when carriers give ids at random, instead of the 10.8 and 12.2 of match_newest_1,
-- which is asked when this is not plain. ends, spent: those whose message ends with it; delivered, long: parts of messages of several,
-- and these messages; digests: of the receipts that fit; missing: the places of those that do not.
create or replace function match_plain_1(p_receipts receipt_columns, out is_plain boolean, out ends message_ends, out spent tid[],
  out delivered tid[], out long bigint[], out digests bigint[], out missing bigint[]) language plpgsql
set jit = off set enable_nestloop = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
  select count(*) = cardinality(p_receipts.ids) and count(distinct hashtextextended(r.id, r.carrier)) = count(*)
        -- Of an account that leaves or has left: told where it goes (src/cells/forward.ts).
        and bool_or(x.account_id = any ((select array_agg(f.account_id) from account_fences f)::bigint[])) is not true,
      array_agg(x.account_id) filter (where x.parts = 1 or r.status = 112),
      array_agg(x.message_id) filter (where x.parts = 1 or r.status = 112),
      array_agg(r.status) filter (where x.parts = 1 or r.status = 112),
      array_agg(r.reason) filter (where x.parts = 1 or r.status = 112),
      array_agg(x.ctid) filter (where x.parts = 1 or r.status = 112),
      array_agg(x.ctid) filter (where x.parts > 1 and r.status = 111),
      array_agg(distinct x.message_id) filter (where x.parts > 1 and r.status = 111),
      array_agg(hashtextextended(r.id, r.carrier)) filter (where x.parts is not null),
      array_agg(r.place) filter (where x.parts is null)
    into is_plain, ends.accounts, ends.messages, ends.statuses, ends.reasons, spent, delivered, long, digests, missing
    from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons)
      with ordinality r(carrier, id, status, reason, place)
    left join submissions x on x.carrier_id = r.carrier and x.smsc_id = r.id
      and x.carrier_id = any (p_receipts.carriers) and x.smsc_id = any (p_receipts.ids);
end $$;
