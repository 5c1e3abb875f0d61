-- What match_plain_1 tells, of whatever receipts. Each tells of the newest submission of its id: carriers begin their ids again now and
-- then. Two under one id, in one flush: such a carrier may mean two messages, so the second tells of the submission before the newest,
-- as it would after the first was stored. Of a long message it repeats what was said of its part.
create or replace function match_newest_1(p_receipts receipt_columns, out is_plain boolean, out ends message_ends, out spent tid[],
  out delivered tid[], out long bigint[], out digests bigint[], out missing bigint[]) language plpgsql as $$
begin
  with m as (
    select r.*, s.*
    from (
      select u.*, row_number() over (partition by hashtextextended(u.id, u.carrier) order by u.place_told) as turn
      from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons)
        with ordinality u(carrier, id, status, reason, place_told)) r
    left join lateral (
      select x.ctid as place, x.account_id, x.message_id, x.parts from submissions x
      where x.carrier_id = r.carrier and x.smsc_id = r.id
        -- Of an account that leaves or has left: told where it goes (src/cells/forward.ts).
        and not exists (select 1 from account_fences f where f.account_id = x.account_id)
      order by x.submitted_at desc limit 1 offset r.turn - 1) s on r.turn = 1 or s.parts = 1)
  select false, array_agg(account_id) filter (where parts = 1 or status = 112),
      array_agg(message_id) filter (where parts = 1 or status = 112),
      array_agg(status) filter (where parts = 1 or status = 112),
      array_agg(reason) filter (where parts = 1 or status = 112),
      array_agg(place) filter (where parts = 1 or status = 112),
      array_agg(place) filter (where parts > 1 and status = 111),
      array_agg(distinct message_id) filter (where parts > 1 and status = 111),
      array_agg(hashtextextended(id, carrier)) filter (where place is not null),
      array_agg(place_told) filter (where place is null and turn = 1)
    into is_plain, ends.accounts, ends.messages, ends.statuses, ends.reasons, spent, delivered, long, digests, missing
    from m;
end $$;
