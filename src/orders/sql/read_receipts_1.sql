-- What receipts say: which messages they end, and which submissions are spent by them. A message of one part ends with its
-- receipt, one of several with the first failure or the last delivery. Receipts that fit nothing are kept (unmatched), unless they
-- repeat what was stored before. p_outcomes: messages that end in the same flush without a receipt.
-- Two under one id, in one flush: a carrier that began its ids again may mean two messages, so the second tells of the submission
-- before the newest, as it would after the first was stored. Of a long message it repeats what was said of its part.
create or replace function read_receipts_1(p_receipts receipt_columns, p_outcomes bigint[],
  out ends message_ends, out spent tid[], out unmatched integer) language plpgsql as $$
declare
  v_delivered tid[];
  v_long bigint[];
  v_digests bigint[];
begin
  -- The newest submission of that id: carriers begin their ids again now and then.
  with m as (
    select r.*, s.*
    from (
      select u.*, row_number() over (partition by hashtextextended(u.id, u.carrier) order by u.place_told) as turn
      from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons, p_receipts.numbers, p_receipts.repeated)
        with ordinality u(carrier, id, status, reason, number, repeated, place_told)) r
    left join lateral (
      select x.ctid as place, x.account_id, x.message_id, x.parts from submissions x
      where x.carrier_id = r.carrier and x.smsc_id = r.id
        -- Of an account that leaves or has left: told where it goes (src/cells/forward.ts).
        and not exists (select 1 from account_fences f where f.account_id = x.account_id)
      order by x.submitted_at desc limit 1 offset r.turn - 1) s on r.turn = 1 or s.parts = 1),
  u as (
    insert into receipts (carrier_id, smsc_id, status, reason, number)
    select m.carrier, m.id, m.status, m.reason, m.number from m where m.place is null and not m.repeated and m.turn = 1
    returning 1)
  select array_agg(place) filter (where parts = 1 or status = 112),
      array_agg(place) filter (where parts > 1 and status = 111),
      array_agg(account_id) filter (where parts = 1 or status = 112),
      array_agg(message_id) filter (where parts = 1 or status = 112),
      array_agg(status) filter (where parts = 1 or status = 112),
      array_agg(reason) filter (where parts = 1 or status = 112),
      array_agg(distinct message_id) filter (where parts > 1 and status = 111),
      array_agg(hashtextextended(id, carrier)), (select count(*) from u)
    into spent, v_delivered, ends.accounts, ends.messages, ends.statuses, ends.reasons, v_long, v_digests, unmatched
    from m where m.place is not null;
  if v_long is not null then
    -- Parts of one message may be reported to two processes at once: the message row decides who counts last. With all
    -- others that end here, because messages are locked by id.
    perform 1 from messages m where m.id = any (v_long || ends.messages || p_outcomes) order by m.id for update;
    ends := add_ends_1(ends, complete_long_1(v_delivered, v_long));
  end if;
  -- From here on their ids are unknown; should they come again, nobody else may be told by them.
  if v_digests is not null then insert into settled_receipts (digests) values (v_digests); end if;
end $$;
