-- Leases due chunks of the given accounts on one lane. For each account at most p_messages messages of small orders and p_large of large
-- ones, at least one chunk of each, and no more than its clock grants; wait_ms says when to ask again. p_marks: how far the first large chunk
-- of each account may be written at once; p_room: how many messages in all; p_small_chunk: chunks up to this size are written in one turn.
-- p_back_ms: only chunks that became due within this time are considered, because older ones were leased before; null: all. p_borrowed_ms,
-- p_burst_ms, p_burst_least: the pace of an account, see grant_messages. One row for each chunk, with its open messages. orders: the order of
-- each message, null if they share one; facts: of each of these orders, once. more: the account has other chunks that may be leased now.
create or replace function claim(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_back_ms integer[],
  p_messages integer, p_large integer, p_room integer, p_small_chunk integer, p_borrowed_ms integer, p_burst_ms integer, p_burst_least integer)
returns table (chunk_id bigint, token bigint, account_id bigint, rank smallint, attempt smallint, rate integer,
  mark integer, first_message_id bigint, ids bigint[], places integer[], numbers bigint[],
  text_nos integer[], orders bigint[], recheck boolean, facts json, wait_ms integer, more boolean)
-- The steps inherit these settings.
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_account bigint;
  v_rate integer;
  v_nth integer;
  v_small integer;
  v_large integer;
  v_next timestamptz;
  v_large_at timestamptz;
  v_clock tid;
  v_lease record;
  v_wait integer;
begin
  -- A dispatcher that was declared dead leases nothing, because nobody would release it. The lock lasts until release() can see our
  -- leases.
  perform 1 from dispatchers d where d.id between p_owner and p_owner order by d.id desc limit 1 for key share;
  if not found then return; end if;
  -- Dispatch is held by an operator, or because this is a copy of another database, which may have sent what waits here.
  if exists (select 1 from dispatch_hold) then return; end if;
  for v_nth in 1 .. cardinality(p_accounts) loop
    v_account := p_accounts[v_nth];
    select a.rate into v_rate from accounts a where a.id = v_account and a.status = 'active';
    continue when not found;
    v_small := p_messages;
    v_large := p_large;
    if p_lane = 0 then
      select g.small, least(g.large, p_large), g.next_at, g.large_at, g.place into v_small, v_large, v_next, v_large_at, v_clock
        from grant_messages(v_account, v_rate, p_messages, p_borrowed_ms, p_burst_ms, p_burst_least) g;
      continue when v_small is null;
    end if;
    token := nextval('lease_tokens');
    v_lease := lease_chunks(p_owner, token, p_lane, v_account, array[v_small, v_large], p_marks[v_nth], p_small_chunk, p_room,
      coalesce(now() - make_interval(secs => p_back_ms[v_nth] / 1000.0), '-infinity'));
    more := v_lease.others[1] or v_lease.others[2] and p_large > 0;
    v_wait := null;
    wait_ms := null;
    if p_lane = 0 then
      select c.more, c.wait_ms into more, v_wait
        from charge_clock(v_clock, v_next, v_large_at, v_rate, p_borrowed_ms, v_lease.taken, v_lease.others, p_large > 0) c;
    end if;
    if v_lease.leased is not null then
      -- A statement after the lease: in one statement, an order that was committed between the start of the statement and of this step
      -- would be leased and not seen, and the lease would stay unknown until its owner ended.
      return query
        select l.id, token, v_account, l.rank, l.attempt, case when p_lane = 0 then v_rate else 0 end, l.mark, l.first_message_id, m.ids, m.places, m.numbers,
          case when m.last_text > 1 then m.text_nos end, case when m.low < m.high then m.orders end, f.recheck, f.facts, null::integer,
          more
        from unnest(v_lease.leased) l
        cross join lateral chunk_messages(l) m
        cross join lateral sending_facts(v_account, case when m.low < m.high then m.orders else array[m.low] end, m.first_text, m.last_text) f
        order by l.rank, l.due_at, l.id;
      select p_room - coalesce(sum(l.mark), 0) into p_room from unnest(v_lease.leased) l;
    end if;
    if v_wait is not null then
      account_id := v_account;
      wait_ms := v_wait;
      return next;
    end if;
  end loop;
end $$;
