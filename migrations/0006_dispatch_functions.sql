-- Claiming work and recording what carriers said. See docs/architecture.md, "Leases".

-- When the mark was last moved, hence when the messages before it were written at the latest; of an unsure chunk: when its
-- messages were. A second copy is only of use while the first would still be.
alter table chunks add column marked_at timestamptz;

-- Given back with a mark: normally none.
create index chunks_cut on chunks (account_id, lane) where lease_owner is null and mark > 0 and kind <> 2;

-- Leases due chunks of the given accounts on one lane. For each account at most p_messages messages, at least one chunk.
-- Transactional (lane 0): the account's clock allows `rate` recipients a second with a burst of a tenth of a second's
-- worth (at least 10); wait_ms says when to ask again. A chunk that lost its lease before is cut at its mark: what lies
-- before it without an answer becomes an 'unsure' chunk, due after p_hold_ms; what lies beyond was certainly not sent.
-- more: the account has other chunks that are due; without it there is no need to ask again until told.
-- p_marks: how far the first chunk of each account may be written at once; those behind it get their mark when their turn
-- comes, so that after a crash as few messages as possible are unsure. Chunks of up to 25 messages are written in one turn.
create function claim_chunks_1(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_messages integer,
  p_hold_ms integer)
returns table (chunk_id bigint, token bigint, account_id bigint, order_id bigint, kind smallint, attempt smallint,
  rate integer, sender text, sender_ok boolean, consent_list text, submit_at timestamptz, send_at timestamptz, marked_at timestamptz, age_ms bigint,
  mark integer, recheck boolean, first_message_id bigint, ids bigint[], numbers bigint[], text_nos integer[], text text, encoding smallint, wait_ms integer, more boolean)
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_account bigint;
  v_rate integer;
  v_next timestamptz;
  v_budget integer;
  v_taken integer;
  v_mark integer;
  c record;
  v_unsure bigint[];
begin
  -- A dispatcher that was declared dead leases nothing: nobody would take it back. The lock lasts until our leases are
  -- there for release_leases_1 to see.
  perform 1 from dispatchers d where d.id = p_owner for key share;
  if not found then return; end if;
  foreach v_account in array p_accounts loop
    v_mark := p_marks[array_position(p_accounts, v_account)];
    select a.rate into v_rate from accounts a where a.id = v_account and a.status = 'active';
    continue when not found;
    v_budget := p_messages;
    if p_lane = 0 then
      select d.next_at into v_next from dispatch_clocks d where d.account_id = v_account for update skip locked;
      if not found then
        v_next := now() - interval '1 hour';
        insert into dispatch_clocks values (v_account, v_next) on conflict do nothing;
        -- It exists: another dispatcher holds it.
        continue when not found;
      end if;
      v_next := greatest(v_next, now() - make_interval(secs => greatest(10, v_rate / 10)::float8 / v_rate));
      -- A clock left far in the future by a jump of time heals within a burst.
      v_next := least(v_next, now() + interval '30 seconds');
      if v_next > now() then
        wait_ms := ceil(extract(epoch from v_next - now()) * 1000);
        account_id := v_account;
        chunk_id := null;
        return next;
        wait_ms := null;
        continue;
      end if;
      v_budget := least(p_messages, 1 + floor(extract(epoch from now() - v_next) * v_rate));
    end if;
    -- Rare: a chunk that lost its lease is cut first.
    for c in
      select k.* from chunks k
      where k.lane = p_lane and k.account_id = v_account and k.lease_owner is null and k.mark > 0 and k.kind <> 2
      order by k.id limit 16 for update skip locked
    loop
      -- Before the mark: answered ones are done, the others are unsure.
      select array_agg(m.id order by m.id) into v_unsure from messages m
        where m.account_id = v_account and m.status = 110
          and ((c.ids is null and m.id between c.first_message_id and c.first_message_id + c.mark - 1)
            or m.id = any (c.ids[1:c.mark]))
          and not exists (select 1 from submissions s where s.message_id = m.id
            having count(distinct s.part) >= max(s.parts))
          and not exists (select 1 from chunks k where k.order_id = c.order_id and k.account_id = v_account and k.id <> c.id
            and m.id = any (k.ids));
      if v_unsure is not null then
        insert into chunks (account_id, order_id, lane, kind, first_message_id, count, ids, attempt, due_at, marked_at)
          values (v_account, c.order_id, c.lane, 2, v_unsure[1], cardinality(v_unsure), v_unsure, c.attempt,
            now() + make_interval(secs => p_hold_ms / 1000.0), c.marked_at);
      end if;
      if c.count <= c.mark then
        delete from chunks k where k.order_id = c.order_id and k.id = c.id and k.account_id = v_account;
      else
        update chunks k set first_message_id = c.first_message_id + c.mark, count = c.count - c.mark, ids = c.ids[c.mark + 1:], mark = 0
          where k.order_id = c.order_id and k.id = c.id and k.account_id = v_account;
      end if;
    end loop;

    -- All that fit the budget, at least one, in one statement: single sends come by the dozen.
    v_taken := 0;
    token := nextval('lease_tokens');
    account_id := v_account;
    rate := case when p_lane = 0 then v_rate else 0 end;
    for c in
      with picked as (
        select k.place, k.count, sum(k.count) over (order by k.rank, k.due_at, k.id) - k.count as before,
          count(*) over () as chunks, sum(k.count) over () as total
        from (
          select x.ctid as place, x.id, x.count, x.rank, x.due_at from chunks x
          where x.lane = p_lane and x.account_id = v_account and x.lease_owner is null and not x.quarantined and x.due_at <= now()
            and (x.mark = 0 or x.kind = 2)
          order by x.rank, x.due_at, x.id limit 64 for update skip locked) k),
      leased as (
        update chunks k set lease_owner = p_owner, lease_token = token,
            mark = case
              when k.ids is not null or k.count <= 25 then k.count
              when k.ctid = (select p.place from picked p where p.before = 0) then least(v_mark, k.count)
              else 0 end,
            marked_at = case when k.kind = 2 then k.marked_at else now() end
          where k.account_id = v_account
            and k.ctid = any (array(select p.place from picked p where p.before = 0 or p.before + p.count <= v_budget))
          returning k.*)
      select l.id, l.order_id, l.kind, l.attempt, l.first_message_id, l.count, l.mark, l.marked_at,
        (select p.chunks = 64 or (p.chunks > 1 and p.total > v_budget) from picked p limit 1) as more, o.sender, o.consent_list, o.submit_at,
        o.send_at, m.ids, m.numbers, m.text_nos,
        case when t.no is null then o.text else t.text end as text, coalesce(t.encoding, o.encoding) as encoding,
        o.sender = 'APITEST' or exists (
          select 1 from senders s where s.account_id = v_account and s.name = o.sender and s.state = 'approved') as sender_ok,
        exists (select 1 from blacklist_entries b where b.account_id = v_account and b.added_at >= o.submit_at)
          or (o.consent_list is not null and exists (select 1 from consent_records r
            where r.account_id = v_account and r.status = 'RET' and r.created_at >= o.submit_at)) as recheck
      from leased l
      cross join lateral (
        select x.sender, x.consent_list, x.submit_at, x.send_at, x.text, x.encoding from orders x
        where x.id = l.order_id and x.account_id = v_account offset 0) o
      left join lateral (
        select array_agg(x.id order by x.id) as ids, array_agg(x.number order by x.id) as numbers, array_agg(x.text_no order by x.id) as text_nos
        from (
          select y.id, y.number, y.text_no from messages y where l.ids is null and y.account_id = v_account and y.status = 110
            and y.id between l.first_message_id and l.first_message_id + l.count - 1
          union all
          select y.id, y.number, y.text_no from messages y where l.ids is not null and y.account_id = v_account and y.status = 110
            and y.id = any (l.ids)) x) m on true
      left join lateral (
        select x.no, x.text, x.encoding from more_texts x
        where m.text_nos[1] > 1 and x.order_id = l.order_id and x.account_id = v_account and x.no = m.text_nos[1] offset 0) t on true
      order by l.rank, l.due_at, l.id
    loop
      chunk_id := c.id; order_id := c.order_id; kind := c.kind; attempt := c.attempt; first_message_id := c.first_message_id;
      mark := c.mark; marked_at := c.marked_at; age_ms := extract(epoch from now() - c.marked_at) * 1000;
      sender := c.sender; sender_ok := c.sender_ok; consent_list := c.consent_list; submit_at := c.submit_at; send_at := c.send_at;
      recheck := c.recheck; ids := c.ids; numbers := c.numbers; text_nos := c.text_nos; text := c.text; encoding := c.encoding;
      more := c.more;
      v_taken := v_taken + c.count;
      return next;
    end loop;
    if p_lane = 0 and v_taken > 0 then
      update dispatch_clocks d set next_at = v_next + make_interval(secs => v_taken::float8 / v_rate)
        where d.account_id = v_account;
    end if;
  end loop;
end $$;

-- One flush of a dispatcher, all of it or nothing:
--   s_ submits the carrier accepted; o_ outcomes known without a receipt; r_ final receipts (in any order relative to s_;
--   one that repeats what was stored before is not kept when it fits nothing);
--   c_ chunks whose every message has an answer; p_later new chunks for messages to try again or to resolve.
create function record_1(p_owner bigint, p_flush bigint,
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
        (select count(*) from u)
      into v_single, v_failed, v_delivered, v_accounts, v_messages, v_statuses, v_reasons, v_long, unmatched
      from m where m.place is not null;
    if v_long is not null then
      -- Parts of one message may be reported to two processes at once: the message row decides who counts last.
      perform 1 from messages m where m.id = any (v_long) order by m.id for update;
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
    delete from submissions s where s.ctid = any (v_single || v_failed);
  end if;

  if cardinality(o_messages) > 0 then
    v_accounts := v_accounts || o_accounts;
    v_messages := v_messages || o_messages;
    v_statuses := v_statuses || o_statuses;
    v_reasons := v_reasons || o_reasons;
  end if;
  if cardinality(v_messages) > 0 then
    settled := settle_1(v_accounts, v_messages, v_statuses, v_reasons);
  end if;

  if p_later is not null and v_last is not null then
    insert into chunks (account_id, order_id, lane, kind, rank, first_message_id, count, ids, attempt, due_at, marked_at)
      select l.account, l."order", l.lane, l.kind, case when cardinality(l.ids) <= 10 then 0 else 1 end, l.ids[1], cardinality(l.ids), (select array_agg(i order by i) from unnest(l.ids) i), l.attempt,
        now() + make_interval(secs => l.delay_ms / 1000.0), now()
      from jsonb_to_recordset(p_later) l(account bigint, "order" bigint, lane smallint, kind smallint, ids bigint[],
        attempt smallint, delay_ms bigint);
  end if;

  if cardinality(c_chunks) > 0 and v_last is not null then
    -- Only under our own lease: a process that slept past it must not take the chunk from its new owner.
    with done as (
      delete from chunks k where k.lease_owner is not null and k.lease_token = any (c_tokens) and k.id = any (array(
        select x.id from unnest(c_chunks, c_tokens) u(id, token) cross join lateral (
          select y.id from chunks y where y.id = u.id and y.lease_owner is not null and y.lease_token = u.token offset 0) x))
      returning k.order_id, k.account_id)
    update orders o set close_after = p_close
      where o.id = any (array(select d.order_id from done d)) and o.account_id = any (array(select distinct d.account_id from done d))
        and o.close_after < p_close - p_slack;
  end if;
  return next;
end $$;

-- Receipt and answer of one submit may be stored by two processes at the same moment, each unable to see the other's. What
-- has met in the tables since is settled here. Only the newest receipts are looked at: older ones met long ago, or never will.
create function match_receipts_1(p_newest integer) returns integer language plpgsql set jit = off set enable_seqscan = off as $$
declare
  v_carriers integer[];
  v_ids text[];
  v_statuses smallint[];
  v_reasons smallint[];
  v_numbers bigint[];
  v_repeated boolean[];
begin
  with taken as (
    delete from receipts r where r.id in (
      select x.id from (select * from receipts order by id desc limit p_newest) x
      where x.received_at > now() - interval '10 minutes'
        and (select true from submissions s where s.carrier_id = x.carrier_id and s.smsc_id = x.smsc_id limit 1))
    returning r.carrier_id, r.smsc_id, r.status, r.reason, r.number)
  select array_agg(carrier_id), array_agg(smsc_id), array_agg(status), array_agg(reason), array_agg(number), array_agg(false)
    into v_carriers, v_ids, v_statuses, v_reasons, v_numbers, v_repeated from taken;
  if v_ids is null then return 0; end if;
  perform record_1(0, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
    v_carriers, v_ids, v_statuses, v_reasons, v_numbers, v_repeated, '{}', '{}', now(), interval '0', null);
  return cardinality(v_ids);
end $$;

-- Gives back what a dead or leaving dispatcher held. Three losses of the same chunk without progress: quarantine.
create function release_leases_1(p_owner bigint) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  -- First, and waiting for a claim under way, whose leases would otherwise stay behind.
  delete from dispatchers d where d.id = p_owner;
  update chunks k set lease_owner = null, lease_token = null,
      lost = case when k.kind = 2 then k.lost + 1 else 0 end,
      attempt = case when k.kind = 2 and k.mark > 0 then k.attempt + 1 else k.attempt end,
      quarantined = k.kind = 2 and k.lost >= 2
    where k.lease_owner = p_owner;
  get diagnostics v_count = row_count;
  delete from carrier_links l where l.dispatcher_id = p_owner;
  return v_count;
end $$;
