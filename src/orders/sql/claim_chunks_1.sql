-- Leases due chunks of the given accounts on one lane. For each account at most p_messages messages, at least one chunk.
-- Transactional (lane 0): the account's clock allows `rate` recipients a second with a burst of a tenth of a second's
-- worth (at least 10); wait_ms says when to ask again. A chunk that lost its lease before is cut at its mark: what lies
-- before it without an answer becomes an 'unsure' chunk, due after p_hold_ms; what lies beyond was certainly not sent.
-- more: the account has other chunks that are due; without it there is no need to ask again until told.
-- p_marks: how far the first chunk of each account may be written at once; those behind it get their mark when their turn
-- comes, so that after a crash as few messages as possible are unsure. Chunks of up to 25 messages are written in one turn.
create or replace function claim_chunks_1(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_messages integer,
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
  v_reveals boolean;
begin
  -- A dispatcher that was declared dead leases nothing: nobody would take it back. The lock lasts until our leases are
  -- there for release_leases_1 to see.
  select d.reveals into v_reveals from dispatchers d where d.id = p_owner for key share;
  if not found then return; end if;
  -- Held: by an operator, or because these data were taken from another database, which may have sent what waits here.
  if exists (select 1 from dispatch_hold) then return; end if;
  foreach v_account in array p_accounts loop
    v_mark := p_marks[array_position(p_accounts, v_account)];
    select a.rate into v_rate from accounts a where a.id = v_account and a.status = 'active';
    continue when not found;
    -- A dispatcher of 0.1.0 would send the place of a code instead of the code, which is good for ten minutes.
    continue when not v_reveals and exists (
      select 1 from order_secrets s where s.account_id = v_account and s.created_at > now() - interval '10 minutes');
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
        insert into chunks (account_id, order_id, lane, kind, first_message_id, count, ids, attempt, lost, due_at, marked_at)
          values (v_account, c.order_id, c.lane, 2, v_unsure[1], cardinality(v_unsure), v_unsure, c.attempt, c.lost,
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
        exists (select 1 from blacklist_entries b where b.account_id = v_account and b.added_at >= o.changed_since)
          or (o.consent_list is not null and (
            exists (select 1 from consent_records r
              where r.account_id = v_account and r.status = 'RET' and r.created_at >= o.changed_since)
            -- An ONAY that the registry has refused.
            or exists (select 1 from consent_records r
              where r.account_id = v_account and not r.counts and r.synced_at >= o.changed_since))) as recheck
      from leased l
      cross join lateral (
        select x.sender, x.consent_list, x.submit_at, x.send_at, x.text, x.encoding,
          -- What was begun before the order was accepted may have been committed after it was judged.
          x.submit_at - interval '1 minute' as changed_since
        from orders x
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
