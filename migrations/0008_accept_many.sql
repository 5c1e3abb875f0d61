-- Many small orders in one go: those that arrive together are judged and written together, so the fixed cost of a
-- statement is paid once for all of them. Only the plain case: one valid recipient, one text, now, no consent check, no
-- idempotency key. Callers (an account and what it sends as) come once, however many of the orders are theirs: p_callers
-- names the caller of each order. What was remembered of a caller (p_keys … p_ips; nulls = read just now) is verified here:
-- 0 means that it is no longer so, and the caller decides anew. Otherwise codes 200, 451 and 452; when somebody's credit
-- does not suffice for all of their orders, nothing is stored (SQLSTATE PK402) and the caller goes one by one, in the order
-- of arrival. p_twins: two of the orders are alike.
create function accept_many_1(
  p_accounts bigint[], p_senders text[], p_keys text[], p_digests text[], p_modes text[], p_abroad boolean[], p_ips text[],
  p_twin_locks bigint[], p_twins boolean,
  p_callers integer[], p_sources text[], p_fingerprints bigint[], p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_submit timestamptz, p_close timestamptz, p_duplicates_since timestamptz)
returns table (code integer, order_id bigint) language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_valid boolean[];
  v_hooks boolean;
  v_hooked boolean not null := false;
  v_all boolean;
  v_codes integer[];
  v_orders bigint[];
  v_first bigint;
  v_sms bigint;
  v_price record;
begin
  -- The balances are free for the next batch while this one is written to the disk; the caller flushes the log before it
  -- answers anybody.
  perform set_config('synchronous_commit', 'off', true);
  -- Twins wait for each other; in one order everywhere, so that two batches cannot wait for one another.
  perform pg_advisory_xact_lock(u.name) from unnest(p_twin_locks) u(name);

  for v_no in 1 .. cardinality(p_accounts) loop
    select coalesce(w.url, '') <> '' into v_hooks
      from accounts a left join webhook_endpoints w on w.account_id = a.id
      where a.id = p_accounts[v_no] and (p_keys[v_no] is null or (
        a.status = 'active' and a.api_enabled and a.mode = p_modes[v_no] and a.abroad = p_abroad[v_no] and a.api_ips::text = p_ips[v_no]
        and exists (select 1 from credentials c where c.key = p_keys[v_no] and c.account_id = a.id
          and c.hash_digest = decode(p_digests[v_no], 'hex') and c.disabled_at is null)
        and case when p_senders[v_no] = 'APITEST'
          then not exists (select 1 from senders s where s.account_id = a.id and s.state = 'approved')
          else exists (select 1 from senders s where s.account_id = a.id and s.name = p_senders[v_no] and s.state = 'approved') end));
    v_valid[v_no] := found;
    v_hooked := v_hooked or (found and v_hooks);
  end loop;

  -- Nearly always nobody is refused, and to ask whether anybody is costs half of asking who.
  v_all := not p_twins and true = all (v_valid) and not exists (
    select 1 from unnest(p_callers, p_fingerprints, p_numbers) u(caller, fingerprint, number)
    where exists (select 1 from blacklist_entries b where b.account_id = p_accounts[u.caller] and b.number = u.number)
      or exists (select 1 from orders o where o.account_id = p_accounts[u.caller]
        and o.fingerprint = u.fingerprint and o.submit_at > p_duplicates_since and o.state <> 'cancelled'));
  if not v_all then
    select array_agg(case
        when not v_valid[u.caller] then 0
        when exists (select 1 from blacklist_entries b where b.account_id = p_accounts[u.caller] and b.number = u.number) then 452
        when u.nth > 1 or exists (select 1 from orders o where o.account_id = p_accounts[u.caller]
          and o.fingerprint = u.fingerprint and o.submit_at > p_duplicates_since and o.state <> 'cancelled') then 451
        else 200 end order by u.ord)
      into v_codes
      from (select *, row_number() over (partition by p_accounts[x.caller], x.fingerprint order by x.ord) as nth
        from unnest(p_callers, p_fingerprints, p_numbers) with ordinality x(caller, fingerprint, number, ord)) u;
    select array_agg(u.caller order by u.ord), array_agg(u.source order by u.ord), array_agg(u.fingerprint order by u.ord),
        array_agg(u.text order by u.ord), array_agg(u.encoding order by u.ord), array_agg(u.parts order by u.ord),
        array_agg(u.number order by u.ord)
      into p_callers, p_sources, p_fingerprints, p_texts, p_encodings, p_parts, p_numbers
      from unnest(p_callers, p_sources, p_fingerprints, p_texts, p_encodings, p_parts, p_numbers, v_codes)
        with ordinality u(caller, source, fingerprint, text, encoding, parts, number, code, ord)
      where u.code = 200;
  end if;

  if p_callers is not null then
    v_first := take_message_ids(cardinality(p_callers));
    v_orders := array(select nextval('order_ids') from generate_series(1, cardinality(p_callers)));
    insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at,
        close_after, fingerprint)
      select u.id, p_accounts[u.caller], p_senders[u.caller], 0, u.source, 'sending', 1, u.parts, v_first + u.ord - 1, p_submit,
        p_submit, p_close, u.fingerprint
      from unnest(v_orders, p_callers, p_sources, p_parts, p_fingerprints)
        with ordinality u(id, caller, source, parts, fingerprint, ord);
    insert into order_texts (order_id, account_id, no, text, encoding, parts)
      select u.id, p_accounts[u.caller], 1, u.text, u.encoding, u.parts
      from unnest(v_orders, p_callers, p_texts, p_encodings, p_parts) u(id, caller, text, encoding, parts);
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select v_first + u.ord - 1, p_accounts[u.caller], u.id, u.number, 1, u.parts, 110
      from unnest(v_orders, p_callers, p_numbers, p_parts) with ordinality u(id, caller, number, parts, ord);
    insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
      select p_accounts[u.caller], u.id, 0, 0, v_first + u.ord - 1, 1, p_submit
      from unnest(v_orders, p_callers) with ordinality u(id, caller, ord);
    insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
      select p_accounts[u.caller], 'reserve', -u.parts, u.parts, u.id, p_submit
      from unnest(v_orders, p_callers, p_parts) u(id, caller, parts);
    if v_hooked then
      insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
        select p_accounts[u.caller], 'accepted', u.id, v_first + u.ord - 1, 1
        from unnest(v_orders, p_callers) with ordinality u(id, caller, ord)
        where exists (select 1 from webhook_endpoints w where w.account_id = p_accounts[u.caller] and w.url <> '');
    end if;
    -- Last, so that the balances are locked for as short as can be; rows in one order, against deadlock.
    if p_accounts[1] = all (p_accounts) then
      v_sms := (select sum(u.parts) from unnest(p_parts) u(parts));
      update balances b set sms = b.sms - v_sms where b.account_id = p_accounts[1] and b.sms >= v_sms;
      if not found then raise exception 'credit does not suffice' using errcode = 'PK402'; end if;
    else
      for v_price in
        select p_accounts[u.caller] as account, sum(u.parts) as sms from unnest(p_callers, p_parts) u(caller, parts)
        group by 1 order by 1
      loop
        update balances b set sms = b.sms - v_price.sms where b.account_id = v_price.account and b.sms >= v_price.sms;
        if not found then raise exception 'credit does not suffice' using errcode = 'PK402'; end if;
      end loop;
    end if;
  end if;

  if v_all then
    return query select 200, u.id from unnest(v_orders) u(id);
  else
    return query
      select u.code, v_orders[sum((u.code = 200)::integer) over (order by u.ord)::integer]
      from unnest(v_codes) with ordinality u(code, ord) order by u.ord;
  end if;
end $$;
