-- One flush of a dispatcher, all of it or nothing:
--   s_ submits the carrier accepted; o_ outcomes known without a receipt; r_ final receipts (in any order relative to s_;
--   one that repeats what was stored before is not kept when it fits nothing);
--   c_ chunks whose every message has an answer; p_later new chunks for messages to try again or to resolve.
create or replace function record_1(p_owner bigint, p_flush bigint,
  s_carriers integer[], s_ids text[], s_accounts bigint[], s_messages bigint[], s_part smallint[], s_parts smallint[],
  o_accounts bigint[], o_messages bigint[], o_statuses smallint[], o_reasons smallint[],
  r_carriers integer[], r_ids text[], r_statuses smallint[], r_reasons smallint[], r_numbers bigint[],
  r_repeated boolean[], c_chunks bigint[], c_tokens bigint[], p_close timestamptz, p_slack interval, p_later jsonb)
returns table (settled integer, unmatched integer) language plpgsql
-- Planning anew for each batch costs more than the generic plan loses: 64 → 55 µs a message over all processes.
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_last bigint;
  v_single tid[];
  v_failed tid[];
  v_delivered tid[];
  v_accounts bigint[];
  v_messages bigint[];
  v_statuses smallint[];
  v_reasons smallint[];
  v_long bigint[];
  v_done bigint[];
  v_late bigint[];
  v_digests bigint[];
begin
  unmatched := 0;
  settled := 0;
  -- The same flush again, because the answer to its commit was lost: it is stored already. A dispatcher that was declared
  -- dead still tells what its carriers said, but no longer decides about chunks: they have a new owner.
  select d.flush into v_last from dispatchers d where d.id = p_owner for no key update;
  if v_last >= p_flush then
    return next;
    return;
  end if;
  update dispatchers d set flush = p_flush where d.id = p_owner;
  if cardinality(c_chunks) > 0 and v_last is not null then
    -- Only under our own lease: a process that slept past it must not take the chunk from its new owner.
    with done as (
      delete from chunks k where k.lease_owner is not null and k.lease_token = any (c_tokens) and k.id = any (array(
        select x.id from unnest(c_chunks, c_tokens) u(id, token) cross join lateral (
          select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x))
      returning k.order_id)
    select array_agg(d.order_id) into v_done from done d;
  end if;
  if cardinality(s_ids) > 0 then
    insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts)
      select * from unnest(s_carriers, s_ids, s_accounts, s_messages, s_part, s_parts);
    -- Receipts that came before their submit's answer.
    if exists (select 1 from receipts) then
      with taken as (
        delete from receipts r where r.id = any (array(
          select x.id from unnest(s_carriers, s_ids) s(carrier, id) cross join lateral (
            -- Not an old one: carriers begin their ids again, and that one was about another message.
            select y.id from receipts y where y.carrier_id = s.carrier and y.smsc_id = s.id
              and y.received_at > now() - interval '10 minutes' offset 0) x))
        returning r.carrier_id, r.smsc_id, r.status, r.reason, r.number)
      select r_carriers || coalesce(array_agg(carrier_id), '{}'), r_ids || coalesce(array_agg(smsc_id), '{}'),
          r_statuses || coalesce(array_agg(status), '{}'), r_reasons || coalesce(array_agg(reason), '{}'),
          r_numbers || coalesce(array_agg(number), '{}'), r_repeated || coalesce(array_agg(false), '{}')
        into r_carriers, r_ids, r_statuses, r_reasons, r_numbers, r_repeated from taken;
    end if;
  end if;

  if cardinality(r_ids) > 0 then
    -- The newest submission of that id: carriers begin their ids again now and then.
    with m as (
      select r.*, s.*
      from unnest(r_carriers, r_ids, r_statuses, r_reasons, r_numbers, r_repeated) r(carrier, id, status, reason, number, repeated)
      left join lateral (
        select x.ctid as place, x.account_id, x.message_id, x.parts from submissions x
        where x.carrier_id = r.carrier and x.smsc_id = r.id
        order by x.submitted_at desc limit 1) s on true),
    u as (
      insert into receipts (carrier_id, smsc_id, status, reason, number)
      select m.carrier, m.id, m.status, m.reason, m.number from m where m.place is null and not m.repeated
      returning 1)
    select array_agg(place) filter (where parts = 1),
        array_agg(place) filter (where parts > 1 and status = 112),
        array_agg(place) filter (where parts > 1 and status = 111),
        array_agg(account_id) filter (where parts = 1 or status = 112),
        array_agg(message_id) filter (where parts = 1 or status = 112),
        array_agg(status) filter (where parts = 1 or status = 112),
        array_agg(reason) filter (where parts = 1 or status = 112),
        array_agg(distinct message_id) filter (where parts > 1 and status = 111),
        array_agg(hashtextextended(id, carrier)), (select count(*) from u)
      into v_single, v_failed, v_delivered, v_accounts, v_messages, v_statuses, v_reasons, v_long, v_digests, unmatched
      from m where m.place is not null;
    if v_long is not null then
      -- Parts of one message may be reported to two processes at once: the message row decides who counts last. With all
      -- others that end here, because messages are locked by id.
      perform 1 from messages m where m.id = any (v_long || v_messages || o_messages) order by m.id for update;
      update submissions s set delivered = true where s.ctid = any (v_delivered);
      with complete as (
        select s.message_id, min(s.account_id) as account_id from submissions s
        where s.message_id = any (v_long) and s.parts > 1
        group by s.message_id having count(distinct s.part) filter (where s.delivered) = min(s.parts)),
      gone as (delete from submissions s where s.message_id = any (array(select c.message_id from complete c)) and s.parts > 1)
      select v_accounts || coalesce(array_agg(account_id), '{}'), v_messages || coalesce(array_agg(message_id), '{}'),
          v_statuses || coalesce(array_agg(111::smallint), '{}'), v_reasons || coalesce(array_agg(0::smallint), '{}')
        into v_accounts, v_messages, v_statuses, v_reasons from complete;
    end if;
    -- From here on their ids are unknown; should they come again, nobody else may be told by them.
    if v_digests is not null then
      insert into settled_receipts (digests) values (v_digests);
    end if;
  end if;

  if cardinality(o_messages) > 0 then
    v_accounts := v_accounts || o_accounts;
    v_messages := v_messages || o_messages;
    v_statuses := v_statuses || o_statuses;
    v_reasons := v_reasons || o_reasons;
  end if;
  -- Orders that were sent long after they were accepted are closed so much later. Rare, and before any balance is locked;
  -- with those that settle_1 will change, because orders are locked by id and after messages.
  if v_done is not null then
    select array_agg(o.id) into v_late from orders o where o.id = any (v_done) and o.close_after < p_close - p_slack;
    if v_late is not null then
      perform 1 from messages m where m.id = any (v_messages) order by m.id for update;
      perform 1 from orders o where o.id = any (v_late || array(select m.order_id from messages m where m.id = any (v_messages)))
        order by o.id for no key update;
      update orders o set close_after = p_close where o.id = any (v_late) and o.close_after < p_close - p_slack;
    end if;
  end if;
  if cardinality(v_messages) > 0 then
    settled := settle_1(v_accounts, v_messages, v_statuses, v_reasons);
    -- Some had come to their end before: repeats, or delivered after all.
    if settled < cardinality(v_messages) and 111 = any (v_statuses) then
      perform note_late_1(v_accounts, v_messages, v_statuses);
    end if;
  end if;
  -- Last: a submission is touched by whoever holds its message, or by nobody who still wants anything.
  if v_single is not null or v_failed is not null then
    delete from submissions s where s.ctid = any (v_single || v_failed);
  end if;

  if p_later is not null and v_last is not null then
    insert into chunks (account_id, order_id, lane, kind, rank, first_message_id, count, ids, attempt, due_at, marked_at,
        carrier_id, written_at)
      select l.account, l."order", l.lane, l.kind, case when cardinality(l.ids) <= 10 then 0 else 1 end, l.ids[1], cardinality(l.ids), (select array_agg(i order by i) from unnest(l.ids) i), l.attempt,
        now() + make_interval(secs => l.delay_ms / 1000.0), now(), l.carrier,
        case when l.kind = 2 then (select array_agg(now() - make_interval(secs => u.age / 1000.0) order by u.id) from unnest(l.ids, l.ages_ms) u(id, age)) end
      from jsonb_to_recordset(p_later) l(account bigint, "order" bigint, lane smallint, kind smallint, ids bigint[],
        attempt smallint, delay_ms bigint, carrier integer, ages_ms float8[]);
  end if;
  return next;
end $$;
