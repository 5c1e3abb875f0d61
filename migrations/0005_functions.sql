-- The hot multi-step writes, each one function and so one round trip. Names carry a version: a later migration adds
-- name_2 beside name_1, so that two releases can share a database. Lock order everywhere: messages, orders, balances.
--
-- Plans of functions are made once and kept until the next ANALYZE, perhaps from a time when a table was empty or looked it.
-- Planned freely, numbering 500 messages took 27 s over 230,000, and no dead row could be cleared away meanwhile. So where
-- few rows of a large table are wanted, the statement leaves no choice: rows are named by "= any (array)" and matched by
-- hash, or looked up one by one (lateral, "offset 0"), and whole tables are out of the question (enable_seqscan off).
-- (Up to PostgreSQL 17 what is out of the question counts as very expensive, and would be compiled at each call: jit off.)

-- Which of these recipients may not be written to: 0 may, 1 bad number, 2 blacklisted, 3 no consent.
-- With several brand codes, one must say ONAY and none RET.
create function blocked_reasons_1(p_account bigint, p_numbers bigint[], p_list text) returns smallint[]
language plpgsql stable as $$
begin
  return (select array_agg(case
    when u.n = 0 then 1
    when b.number is not null then 2
    when p_list is not null and not coalesce(c.allowed, false) then 3
    else 0 end::smallint order by u.ord)
  from unnest(p_numbers) with ordinality u(n, ord)
  left join blacklist_entries b on b.account_id = p_account and b.number = u.n
  left join lateral (
    select bool_or(l.status = 'ONAY') and not bool_or(l.status = 'RET') as allowed
    from brands d
    cross join lateral (
      select r.status from consent_records r
      where r.account_id = p_account and r.brand = d.code and r.type = 'MESAJ' and r.recipient_type = p_list
        and r.recipient = '+' || u.n and r.counts
      order by r.consent_date desc, r.id desc limit 1) l
    where d.account_id = p_account and d.active and p_list is not null) c on true);
end $$;

create function insert_chunks_1(p_account bigint, p_order bigint, p_lane smallint, p_first bigint, p_total integer,
  p_size integer, p_due timestamptz) returns void language plpgsql as $$
begin
  insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
  select p_account, p_order, p_lane, case when p_total <= 10 then 0 else 1 end, p_first + s, least(p_size, p_total - s), p_due
  from generate_series(0, p_total - 1, p_size) s;
end $$;

-- Accepts one order or says why not: 452, 469, 451, 402; 422 when the idempotency key was used with another body.
-- p_numbers: recipients in the order given, 0 for a bad one, whose text stands in p_bad_text at p_bad_at.
-- p_text_nos: which text each recipient gets; null when there is only one.
-- Twins (the same order, the same key) wait for each other on an advisory lock; the account's balance row is locked only by
-- the last statement, so that orders of one account are written side by side. If the credit went meanwhile, that statement
-- finds nothing to take and everything is undone (SQLSTATE PK402).
-- With p_copied, messages and credit are left to the caller, who copies the rows in and then takes the credit, in the same
-- transaction: for 50,000 recipients COPY takes 60 % of the time of an INSERT. What the rows
-- need comes back: first_id, and blocked as above (null = nobody is).
create function accept_order_1(
  p_account bigint, p_sender text, p_lane smallint, p_list text, p_source text,
  p_submit timestamptz, p_send timestamptz, p_close timestamptz, p_scheduled boolean, p_fingerprint bigint,
  p_duplicates_since timestamptz, p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_text_nos integer[], p_bad_at integer[], p_bad_text text[], p_chunk integer,
  p_key text, p_key_digest bytea, p_key_since timestamptz, p_copied boolean default false,
  out code integer, out order_id bigint, out replayed boolean, out first_id bigint, out price bigint, out blocked smallint[])
language plpgsql as $$
declare
  v_balance bigint;
  v_total integer := cardinality(p_numbers);
  v_sendable integer := v_total;
  v_key record;
  v_listed boolean;
  v_twin boolean;
  v_webhook boolean;
begin
  replayed := false;
  perform pg_advisory_xact_lock(p_fingerprint # p_account);
  if p_key is not null then perform pg_advisory_xact_lock(hashtextextended(p_key, p_account)); end if;

  if p_key is not null then
    select k.body_digest, k.order_id into v_key from idempotency_keys k
      where k.account_id = p_account and k.key = p_key and k.created_at > p_key_since;
    if found then
      replayed := true;
      code := case when v_key.body_digest = p_key_digest then 200 else 422 end;
      order_id := v_key.order_id;
      return;
    end if;
  end if;

  -- A statement of its own, after the lock: only then does it see what a twin of this order committed meanwhile.
  select (select b.sms from balances b where b.account_id = p_account), exists (select 1 from blacklist_entries b where b.account_id = p_account),
      exists (select 1 from orders o where o.account_id = p_account and o.fingerprint = p_fingerprint
        and o.submit_at > p_duplicates_since and o.state <> 'cancelled'),
      exists (select 1 from webhook_endpoints w where w.account_id = p_account and w.url <> '')
    into v_balance, v_listed, v_twin, v_webhook;
  if p_list is not null or cardinality(p_bad_at) > 0 or v_listed then
    blocked := blocked_reasons_1(p_account, p_numbers, p_list);
    if 0 = any (blocked) then
      select count(*) into v_sendable from unnest(blocked) r where r = 0;
    else
      code := case when 3 = any (blocked) then 469 else 452 end;
      return;
    end if;
  end if;

  if v_twin then
    code := 451;
    return;
  end if;

  if p_text_nos is null then
    price := v_sendable::bigint * p_parts[1];
  elsif blocked is null then
    select sum(p_parts[t]) into price from unnest(p_text_nos) t;
  else
    select sum(p_parts[u.t]) into price from unnest(p_text_nos, blocked) u(t, r) where u.r = 0;
  end if;
  if v_balance is null or v_balance < price then
    code := 402;
    return;
  end if;

  code := 200;
  select first_order, first_message into order_id, first_id from take_ids_1(1, v_total);
  insert into orders (id, account_id, sender, lane, consent_list, source, state, total, undelivered, reserved,
      first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
    values (order_id, p_account, p_sender, p_lane, p_list, p_source, case when p_scheduled then 'scheduled' else 'sending' end,
      v_total, v_total - v_sendable, price, first_id, p_submit, p_send, p_close, p_fingerprint, p_texts[1], p_encodings[1],
      p_parts[1]);
  if p_text_nos is not null then
    insert into more_texts (order_id, account_id, no, text, encoding, parts)
      select accept_order_1.order_id, p_account, u.no, u.text, u.encoding, u.parts
      from unnest(p_texts, p_encodings, p_parts) with ordinality u(text, encoding, parts, no) where u.no > 1;
  end if;

  if p_copied then
    null;
  elsif v_total = 1 and blocked is null then
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      values (first_id, p_account, order_id, p_numbers[1], 1, p_parts[1], 110);
  elsif blocked is null and p_text_nos is null then
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select first_id + u.ord - 1, p_account, accept_order_1.order_id, u.n, 1, p_parts[1], 110
      from unnest(p_numbers) with ordinality u(n, ord);
  else
    insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)
      select first_id + u.ord - 1, p_account, accept_order_1.order_id, nullif(u.n, 0), coalesce(u.t, 1),
        case when coalesce(u.r, 0) = 0 then p_parts[coalesce(u.t, 1)] else 0 end,
        case when coalesce(u.r, 0) = 0 then 110 else 112 end, coalesce(u.r, 0),
        case when coalesce(u.r, 0) = 0 then null else p_submit end, g.text
      from unnest(p_numbers, p_text_nos, blocked) with ordinality u(n, t, r, ord)
      left join unnest(p_bad_at, p_bad_text) g(at, text) on g.at = u.ord;
  end if;

  if not p_scheduled and v_total <= p_chunk then
    insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
      values (p_account, order_id, p_lane, case when v_total <= 10 then 0 else 1 end, first_id, v_total, p_submit);
  elsif not p_scheduled then
    perform insert_chunks_1(p_account, order_id, p_lane, first_id, v_total, p_chunk, p_submit);
  end if;
  insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
    values (p_account, 'reserve', -price, price, order_id, p_submit);
  if p_key is not null then
    insert into idempotency_keys (account_id, key, body_digest, order_id, created_at)
      values (p_account, p_key, p_key_digest, order_id, p_submit)
      on conflict (account_id, key) do update set body_digest = excluded.body_digest, order_id = excluded.order_id,
        created_at = excluded.created_at;
  end if;
  if v_webhook then
    insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
      values (p_account, 'accepted', order_id, first_id, v_total);
  end if;
  if p_copied then return; end if;
  update balances b set sms = b.sms - price where b.account_id = p_account and b.sms >= price;
  if not found then raise exception 'the credit went meanwhile' using errcode = 'PK402'; end if;
end $$;

-- Brings messages to their end: 110 → 111 | 112, never back, so a repeat changes nothing. Counters, order state, credit
-- and the notification change with them, counted from the rows that really changed.
create function settle_1(p_accounts bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[])
returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  -- What really changed, message by message …
  c_accounts bigint[];
  c_orders bigint[];
  c_ids bigint[];
  -- … and summed up by order.
  v_accounts bigint[];
  v_orders bigint[];
  v_delivered bigint[];
  v_undelivered bigint[];
  v_consumed bigint[];
  v_released bigint[];
  -- Accounts that are told.
  v_hooked bigint[];
begin
  with changed as (
    update messages m set status = u.status, reason = u.reason, final_at = now()
    from unnest(p_accounts, p_messages, p_statuses, p_reasons) u(account_id, id, status, reason)
    where m.id = any (p_messages) and m.id = u.id and m.account_id = u.account_id and m.status = 110
    returning m.account_id, m.order_id, m.id, m.status, m.credits),
  sums as (
    select account_id, order_id, count(*) filter (where status = 111) as delivered, count(*) filter (where status = 112) as undelivered,
      coalesce(sum(credits) filter (where status = 111), 0) as consumed,
      coalesce(sum(credits) filter (where status = 112), 0) as released
    -- By id: so the orders are updated, whichever side of the match leads, and two processes cannot wait for one another.
    from changed group by account_id, order_id order by order_id)
  select (select array_agg(account_id) from changed), (select array_agg(order_id) from changed), (select array_agg(id) from changed),
      array_agg(account_id), array_agg(order_id), array_agg(delivered), array_agg(undelivered), array_agg(consumed), array_agg(released)
    into c_accounts, c_orders, c_ids, v_accounts, v_orders, v_delivered, v_undelivered, v_consumed, v_released from sums;
  if c_ids is null then return 0; end if;

  update orders o set delivered = o.delivered + r.delivered, undelivered = o.undelivered + r.undelivered,
      consumed = o.consumed + r.consumed, reserved = o.reserved - r.consumed - r.released,
      -- Failed as a whole: no carrier saw any of it (bad number, blacklist, consent, sender, validity over).
      state = case
        when o.state <> 'sending' or o.delivered + o.undelivered + r.delivered + r.undelivered < o.total then o.state
        when o.delivered + r.delivered = 0 and not exists (select 1 from messages m where m.account_id = o.account_id
          and m.id between o.first_message_id and o.first_message_id + o.total - 1 and m.reason not in (1, 2, 3, 4, 18))
          then 'failed'
        else 'finished' end,
      finished_at = case when o.delivered + o.undelivered + r.delivered + r.undelivered = o.total then now() end
    from unnest(v_accounts, v_orders, v_delivered, v_undelivered, v_consumed, v_released)
      r(account_id, order_id, delivered, undelivered, consumed, released)
    where o.id = any (v_orders) and o.id = r.order_id and o.account_id = r.account_id;
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select r.account_id, k.kind, k.sms, k.reserved, r.order_id
    from unnest(v_accounts, v_orders, v_consumed, v_released) r(account_id, order_id, consumed, released)
    cross join lateral (values ('consume', 0, -r.consumed), ('release', r.released, -r.released)) k(kind, sms, reserved)
    where k.reserved < 0;
  if exists (select 1 from unnest(v_released) x where x > 0) then
    update balances b set sms = b.sms + r.released
      from (select u.account_id, sum(u.released) as released from unnest(v_accounts, v_released) u(account_id, released)
        group by u.account_id having sum(u.released) > 0) r
      where b.account_id = any (v_accounts) and b.account_id = r.account_id;
  end if;
  select array_agg(w.account_id) into v_hooked from webhook_endpoints w where w.account_id = any (v_accounts) and w.url <> '';
  if v_hooked is not null then
    insert into webhook_outbox (account_id, kind, order_id, message_ids)
      select c.account_id, 'final', c.order_id, array_agg(c.id order by c.id)
      from unnest(c_accounts, c_orders, c_ids) c(account_id, order_id, id)
      where c.account_id = any (v_hooked)
      group by c.account_id, c.order_id;
  end if;
  return cardinality(c_ids);
end $$;

-- The race between cancel and fire has one winner: whoever moves the order out of 'scheduled'.
create function cancel_order_1(p_account bigint, p_order bigint) returns boolean language plpgsql as $$
declare
  v_first bigint;
  v_total integer;
begin
  update orders o set state = 'cancelled', finished_at = now()
    where o.id = p_order and o.account_id = p_account and o.state = 'scheduled'
    returning o.first_message_id, o.total into v_first, v_total;
  if not found then return false; end if;
  perform settle_1(array_agg(p_account), array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(9::smallint))
    from messages m where m.account_id = p_account and m.id between v_first and v_first + v_total - 1 and m.status = 110;
  return true;
end $$;

-- A schedule fires: who was blacklisted or withdrew consent since acceptance falls out, the rest becomes chunks.
create function fire_order_1(p_account bigint, p_order bigint, p_chunk integer, p_close timestamptz) returns boolean
language plpgsql as $$
declare
  o record;
  v_ids bigint[];
  v_numbers bigint[];
  v_blocked smallint[];
begin
  update orders set state = 'sending', close_after = greatest(close_after, p_close)
    where id = p_order and account_id = p_account and state = 'scheduled'
    returning lane, consent_list, first_message_id, total into o;
  if not found then return false; end if;
  select array_agg(m.id order by m.id), array_agg(m.number order by m.id) into v_ids, v_numbers
    from messages m where m.account_id = p_account and m.id between o.first_message_id and o.first_message_id + o.total - 1
      and m.status = 110;
  v_blocked := blocked_reasons_1(p_account, v_numbers, o.consent_list);
  perform settle_1(array_agg(p_account), array_agg(u.id), array_agg(112::smallint), array_agg(u.r))
    from unnest(v_ids, v_blocked) u(id, r) where u.r <> 0 having count(*) > 0;
  if 0 = any (v_blocked) then
    perform insert_chunks_1(p_account, p_order, o.lane, o.first_message_id, o.total, p_chunk, now());
  end if;
  return true;
end $$;
