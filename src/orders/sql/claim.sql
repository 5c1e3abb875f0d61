-- Leases due chunks of the given accounts on one lane. Of each account at most p_messages messages, at least one chunk, and no more
-- than its clock grants; wait_ms says when to ask again. p_marks: how far the first chunk of each account may be written at once.
-- p_back_ms: only chunks that became due within so long are looked for, because nothing older was left; null: all. A row a chunk, with its
-- open messages; orders: of each message, null when all are of one; facts: of every order among them, once. more: the account has
-- other chunks that are due; without it there is no need to ask again until told.
create or replace function claim(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_back_ms integer[],
  p_messages integer)
returns table (chunk_id bigint, token bigint, account_id bigint, kind smallint, attempt smallint, rate integer, marked_at timestamptz,
  age_ms bigint, mark integer, first_message_id bigint, ids bigint[], places integer[], numbers bigint[], text_nos integer[],
  orders bigint[], recheck boolean, facts json, wait_ms integer, more boolean)
-- The steps inherit these settings.
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_account bigint;
  v_rate integer;
  v_grant record;
  v_nth integer;
  v_token bigint;
  v_lease record;
begin
  -- A dispatcher that was declared dead leases nothing: nobody would take it back. The lock lasts until our leases are there for
  -- release() to see.
  perform 1 from dispatchers d where d.id between p_owner and p_owner order by d.id desc limit 1 for key share;
  if not found then return; end if;
  -- Held: by an operator, or because these data were taken from another database, which may have sent what waits here.
  if exists (select 1 from dispatch_hold) then return; end if;
  for v_nth in 1 .. cardinality(p_accounts) loop
    v_account := p_accounts[v_nth];
    select a.rate into v_rate from accounts a where a.id = v_account and a.status = 'active'
      and not exists (select 1 from account_fences f where f.account_id = a.id);
    continue when not found;
    v_grant := grant_messages(p_lane, v_account, v_rate, p_messages);
    if v_grant.wait_ms is not null then
      account_id := v_account;
      wait_ms := v_grant.wait_ms;
      return next;
    end if;
    continue when v_grant.budget is null;
    v_token := nextval('lease_tokens');
    v_lease := lease_chunks(p_owner, v_token, p_lane, v_account, v_rate, v_grant.budget, v_grant.next_at, v_grant.place,
      p_marks[v_nth], coalesce(now() - make_interval(secs => p_back_ms[v_nth] / 1000.0), '-infinity'));
    continue when v_lease.leased is null;
    -- A statement of its own, after the lease: within one, an order that was committed between the beginning of the statement and
    -- that of the step was leased and not seen, so that nobody knew of the lease until its owner ended.
    return query
      select l.id, v_token, v_account, l.kind, l.attempt, case when p_lane = 0 then v_rate else 0 end, l.marked_at,
        (extract(epoch from now() - l.marked_at) * 1000)::bigint, l.mark, l.first_message_id, m.ids, m.places, m.numbers,
        case when m.last_text > 1 then m.text_nos end, case when m.low < m.high then m.orders end, f.recheck, f.facts, null::integer,
        v_lease.more
      from unnest(v_lease.leased) l
      cross join lateral chunk_messages(v_account, l.ids, l.first_message_id, l.count) m
      cross join lateral sending_facts(v_account, case when m.low < m.high then m.orders else array[m.low] end, m.first_text, m.last_text) f
      order by l.rank, l.due_at, l.id;
  end loop;
end $$;
