-- Finds the messages of receipts that came without one (0): the newest submit under their id and, if the receipt has one, their number. The
-- submits of two days are searched first. Messages below 0 are test messages. Unmatched receipts are stored. p_more: messages that end in
-- the same flush without a receipt.
create or replace function match(p_in receipt_inbox, p_more bigint[], out messages bigint[], out unmatched integer, out mismatched integer)
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set enable_bitmapscan = off as $$
declare
  v_ids text[];
  v_parts smallint[];
  v_part smallint[];
  v_known boolean[];
  v_days smallint[];
  v_most integer;
  v_carriers integer[] := array(select distinct c from unnest(p_in.carriers) c);
begin
  messages := p_in.messages;
  unmatched := 0;
  mismatched := 0;
  foreach v_most in array array[2, 12] loop
    v_days := array(select submit_day(now() - make_interval(days => d)) from generate_series(0, v_most - 1) d);
    v_ids := array(select distinct u.id from unnest(p_in.ids, messages) u(id, message) where u.message = 0);
    with found as materialized (
      select x.carrier_id, x.smsc_id::text as smsc_id, x.message_id, x.part, x.parts, x.submitted_at from submits x
      where x.smsc_id = any (v_ids) and x.carrier_id = any (v_carriers) and x.day = any (v_days)),
    numbers as (
      select m.id, m.number from messages m where m.id = any (array(select f.message_id from found f))
      union all
      select f.message_id, -f.message_id from found f where f.message_id < 0),
    candidates as (
      select u.place, u.message, f.message_id, f.part, f.parts, f.submitted_at, n.id is not null as is_known,
        n.id is not null and (u.number = 0 or n.number is null or n.number % 10000000000 = u.number % 10000000000) as fits
      from unnest(p_in.carriers, p_in.ids, p_in.numbers, messages) with ordinality u(carrier, id, number, message, place)
      left join found f on f.smsc_id = u.id and f.carrier_id = u.carrier and u.message = 0
      left join numbers n on n.id = f.message_id),
    best as (select distinct on (t.place) t.* from candidates t order by t.place, t.fits desc, t.submitted_at desc nulls last)
    select array_agg(case when b.fits then b.message_id else b.message end order by b.place),
        array_agg(case when b.fits then b.parts else coalesce(w.parts, 1) end order by b.place),
        array_agg(case when b.fits then b.part else coalesce(w.part, 1) end order by b.place), array_agg(b.is_known order by b.place)
      into messages, v_parts, v_part, v_known
      from best b left join unnest(v_parts, v_part) with ordinality w(parts, part, place) on w.place = b.place;
    exit when not 0 = any (messages);
  end loop;
  if 0 = any (messages) then
    insert into receipts (carrier_id, smsc_id, status, reason, number, received_at, mismatch)
      select distinct on (u.carrier, u.id, u.status, u.number) u.carrier, u.id, u.status, u.reason, u.number, coalesce(p_in.received_at, now()), u.is_known
      from unnest(p_in.carriers, p_in.ids, p_in.statuses, p_in.reasons, p_in.numbers, messages, v_known)
        with ordinality u(carrier, id, status, reason, number, message, is_known, place)
      where u.message = 0
        -- A repeated receipt is stored once in ten minutes.
        and not exists (select 1 from receipts x where x.carrier_id = u.carrier and x.smsc_id = u.id and x.status = u.status and x.number = u.number
          and x.received_at > now() - interval '10 minutes')
      order by u.carrier, u.id, u.status, u.number, u.place;
    select count(*), count(*) filter (where u.is_known) into unmatched, mismatched
      from unnest(messages, v_known) u(message, is_known) where u.message = 0;
  end if;
  if not coalesce(1 < any (v_parts), false) then return; end if;
  -- A receipt of a long message is about one part. Delivered parts are stored; the last one, or the first failure, ends the message. The lock
  -- is taken before parts are counted, because two processes may get parts of one message at once. It covers every message that ends here,
  -- because messages are locked in the order of their ids.
  perform 1 from messages m where m.id = any (messages || p_more) order by m.id for update;
  insert into part_receipts (message_id, part)
    select u.message, u.part from unnest(messages, v_part, v_parts, p_in.statuses) u(message, part, parts, status)
    where u.parts > 1 and u.status = 111 on conflict do nothing;
  messages := (
    select array_agg(case when u.parts = 1 or u.status <> 111 then u.message
      when (select count(*) from part_receipts p where p.message_id = u.message) >= u.parts then u.message else -1 end order by u.place)
    from unnest(messages, v_parts, p_in.statuses) with ordinality u(message, parts, status, place));
end $$;
