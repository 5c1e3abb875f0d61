-- Many small orders in one go: those that arrive together are judged and written together, so the fixed cost of a
-- statement is paid once for all of them. Only the plain case: one valid recipient, one text, now, no consent check, no
-- idempotency key. Callers (an account and what it sends as) come once, however many of the orders are theirs: p_callers
-- names the caller of each order. What was remembered of a caller counts only while its stamp is still that of the account
-- (p_stamps; null = read just now): 0 means that it is not, and the caller decides anew. Otherwise codes 200, 451 and 452;
-- when somebody's credit does not suffice for all of their orders, nothing is stored (SQLSTATE PK402) and the caller goes
-- one by one, in the order of arrival. Orders with code 200 get consecutive ids from r_first_order on. p_twins: two of the
-- orders are alike. p_announce: what dispatchers are told, if anything.
--
-- Three transactions, one round trip. The first stores the orders without waiting for the disk, so that the balances are
-- free for the next batch meanwhile. The second wakes dispatchers: after the commit, because a pending NOTIFY makes commits
-- queue; and not after the flush, because nothing leaves before a claim has flushed the log anyway. The third writes a
-- record that nobody reads, since only who has written something waits for the disk: when it ends, all three are durable
-- and the answers may be told.
create or replace procedure accept_many_1(
  p_accounts bigint[], p_senders text[], p_stamps bigint[], p_hooks boolean[], p_twin_locks bigint[], p_twins boolean,
  p_callers integer[], p_sources text[], p_fingerprints bigint[], p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_submit timestamptz, p_close timestamptz, p_duplicates_since timestamptz, p_announce text,
  out r_codes integer[], out r_first_order bigint)
language plpgsql as $$
declare
  v_all boolean;
  v_codes integer[];
  v_ids record;
  v_order bigint;
  v_message bigint;
  v_price record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true);
  -- Twins wait for each other; in one order everywhere, so that two batches cannot wait for one another.
  perform pg_advisory_xact_lock(u.name) from unnest(p_twin_locks) u(name);

  -- Nearly always nobody is refused, and to ask whether anybody is costs half of asking who. A statement of its own, after
  -- the locks: only then does it see what a twin committed meanwhile. "select true … limit 1" and not "exists": that one may
  -- be planned as a hash of the whole table, and a plan made while the table was small would be kept until the next ANALYZE
  -- (measured: 13 ms a batch of 32 instead of 1.6 after 20,000 orders). "Between itself and itself", in order, while sorting
  -- is forbidden: only the index made for it gives that; of an equal value no order would be asked, and all orders of the
  -- account within the window were read where the table was believed to be empty.
  v_all := not p_twins and not exists (
      select 1 from unnest(p_accounts, p_stamps) u(account, stamp)
      where u.stamp is not null and u.stamp is distinct from (select a.stamp from accounts a where a.id = u.account))
    and not exists (
      select 1 from unnest(p_callers, p_fingerprints, p_numbers) u(caller, fingerprint, number)
      where ((select true from blacklist_entries b where b.account_id = any (p_accounts) limit 1)
          and (select true from blacklist_entries b where b.account_id = p_accounts[u.caller]
            and b.number between u.number and u.number order by b.number limit 1))
        or (select true from orders o where o.account_id = p_accounts[u.caller]
          and o.fingerprint between u.fingerprint and u.fingerprint and o.submit_at > p_duplicates_since
          and o.state <> 'cancelled' order by o.fingerprint limit 1));
  if v_all then
    v_codes := array_fill(200, array[cardinality(p_callers)]);
  else
    select array_agg(case
        when p_stamps[u.caller] is not null
          and p_stamps[u.caller] is distinct from (select a.stamp from accounts a where a.id = p_accounts[u.caller]) then 0
        when (select true from blacklist_entries b where b.account_id = p_accounts[u.caller]
            and b.number between u.number and u.number order by b.number limit 1) then 452
        when u.nth > 1 or (select true from orders o where o.account_id = p_accounts[u.caller]
          and o.fingerprint between u.fingerprint and u.fingerprint and o.submit_at > p_duplicates_since
          and o.state <> 'cancelled' order by o.fingerprint limit 1) then 451
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
    v_ids := take_ids_1(cardinality(p_callers), cardinality(p_callers));
    v_order := v_ids.first_order;
    v_message := v_ids.first_message;
    insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at,
        close_after, fingerprint, text, encoding, parts)
      select v_order + u.ord - 1, p_accounts[u.caller], p_senders[u.caller], 0, u.source, 'sending', 1, u.parts,
        v_message + u.ord - 1, p_submit, p_submit, p_close, u.fingerprint, u.text, u.encoding, u.parts
      from unnest(p_callers, p_sources, p_fingerprints, p_texts, p_encodings, p_parts)
        with ordinality u(caller, source, fingerprint, text, encoding, parts, ord);
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select v_message + u.ord - 1, p_accounts[u.caller], v_order + u.ord - 1, u.number, 1, u.parts, 110
      from unnest(p_callers, p_numbers, p_parts) with ordinality u(caller, number, parts, ord);
    insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
      select p_accounts[u.caller], v_order + u.ord - 1, 0, 0, v_message + u.ord - 1, 1, least(p_submit, now())
      from unnest(p_callers) with ordinality u(caller, ord);
    insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
      select p_accounts[u.caller], 'reserve', -u.parts, u.parts, v_order + u.ord - 1, p_submit
      from unnest(p_callers, p_parts) with ordinality u(caller, parts, ord);
    if true = any (p_hooks) then
      insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
        select w.key, 'accepted', v_order + u.ord - 1, v_message + u.ord - 1, 1
        from unnest(p_accounts, p_hooks) with ordinality a(account_id, hooked, caller)
        cross join lateral (select e.account_id as key from webhook_endpoints e where a.hooked and e.owner_id = a.account_id
          and e.url <> '' and not 'accepted' = any (e.skipped) offset 0) w
        join unnest(p_callers) with ordinality u(caller, ord) on u.caller = a.caller;
    end if;
    -- Last, so that the balances are locked for as short as can be; rows in one order, against deadlock.
    if p_accounts[1] = all (p_accounts) then
      update balances b set sms = b.sms - x.price from (select sum(u.parts) as price from unnest(p_parts) u(parts)) x
        where b.account_id = p_accounts[1] and b.sms >= x.price;
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

  r_codes := v_codes;
  r_first_order := v_order;
  commit;
  if p_announce <> '' then
    perform set_config('synchronous_commit', 'off', true), pg_notify('peyk_dispatch', p_announce);
    commit;
  end if;
  perform pg_logical_emit_message(true, 'peyk', '');
end $$;
