-- Leases due chunks of the given accounts on one lane. For each account at most p_messages messages, at least one chunk, and no
-- more than its clock grants; wait_ms says when to ask again. p_marks: how far the first chunk of each account may be written at once.
-- p_back_ms: only chunks that became due within so long are looked for, because nothing older was left; null: all.
-- p_shared: also chunks that several orders share (texts and encodings then stand beside the messages, and order_id is the first of them).
-- more: the account has other chunks that are due; without it there is no need to ask again until told.
create or replace function claim_chunks_4(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_back_ms integer[],
  p_messages integer, p_hold_ms integer, p_shared boolean)
returns table (chunk_id bigint, token bigint, account_id bigint, order_id bigint, kind smallint, attempt smallint,
  rate integer, sender text, sender_ok boolean, consent_list text, submit_at timestamptz, send_at timestamptz, marked_at timestamptz, age_ms bigint,
  mark integer, recheck boolean, first_message_id bigint, ids bigint[], numbers bigint[], text_nos integer[], text text, encoding smallint, wait_ms integer, more boolean,
  shared boolean, texts json, encodings bigint[])
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
  -- A dispatcher that was declared dead leases nothing: nobody would take it back. The lock lasts until our leases are
  -- there for release_leases_1 to see.
  perform 1 from dispatchers d where d.id between p_owner and p_owner order by d.id desc limit 1 for key share;
  if not found then return; end if;
  -- Held: by an operator, or because these data were taken from another database, which may have sent what waits here.
  if exists (select 1 from dispatch_hold) then return; end if;
  foreach v_account in array p_accounts loop
    select a.rate into v_rate from accounts a where a.id = v_account and a.status = 'active'
      and not exists (select 1 from account_fences f where f.account_id = a.id);
    continue when not found;
    v_grant := grant_2(p_lane, v_account, v_rate, p_messages);
    if v_grant.wait_ms is not null then
      account_id := v_account;
      wait_ms := v_grant.wait_ms;
      return next;
    end if;
    continue when v_grant.budget is null;
    perform cut_lost_chunks_1(v_account, p_lane, p_hold_ms);
    v_token := nextval('lease_tokens');
    v_nth := array_position(p_accounts, v_account);
    v_lease := lease_chunks_3(p_owner, v_token, p_lane, v_account, v_rate, v_grant.budget, v_grant.next_at, v_grant.place,
      p_marks[v_nth], coalesce(now() - make_interval(secs => p_back_ms[v_nth] / 1000.0), '-infinity'), p_shared);
    continue when v_lease.leased is null;
    -- A statement of its own, after the lease: within one, an order that was committed between the beginning of the statement and
    -- that of the step was leased and not seen, so that nobody knew of the lease until its owner ended.
    return query
      select l.id, v_token, v_account, l.order_id, l.kind, l.attempt, case when p_lane = 0 then v_rate else 0 end, o.sender, s.ok,
        o.consent_list, o.submit_at, o.send_at, l.marked_at, (extract(epoch from now() - l.marked_at) * 1000)::bigint, l.mark,
        r.are_there, l.first_message_id, coalesce(m.ids, h.ids), coalesce(m.numbers, h.numbers), m.text_nos,
        case when t.no is null then o.text else t.text end, coalesce(t.encoding, o.encoding), null::integer, v_lease.more,
        l.shared, h.texts, h.encodings
      from unnest(v_lease.leased) l
      cross join lateral (
        select x.sender, x.consent_list, x.submit_at, x.send_at, x.text, x.encoding from orders x
        where x.id = l.order_id and x.account_id = v_account offset 0) o
      cross join lateral sender_stands_1(v_account, o.sender) s
      -- What was begun before the order was accepted may have been committed after it was judged.
      cross join lateral objections_since_1(v_account, o.consent_list, o.submit_at - interval '1 minute') r
      cross join lateral chunk_messages_1(v_account, l.ids, l.first_message_id, case when l.shared then 0 else l.count end) m
      cross join lateral shared_messages_1(v_account, l.first_message_id, case when l.shared then l.count else 0 end) h
      left join lateral (
        select x.no, x.text, x.encoding from more_texts x
        where m.text_nos[1] > 1 and x.order_id = l.order_id and x.account_id = v_account and x.no = m.text_nos[1] offset 0) t on true
      order by l.rank, l.due_at, l.id;
  end loop;
end $$;
