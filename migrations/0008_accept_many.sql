-- Many small orders in one go: those that arrive together are judged and written together, so the fixed cost of a
-- statement is paid once for all of them. Only the plain case: one valid recipient, one text, now, no consent check, no
-- idempotency key. What the caller remembered of the account (p_keys … p_ips; nulls = read just now) is verified here: 0 means
-- that it is no longer so, and the caller decides anew. Otherwise codes 200, 451 and 452; when somebody's credit does not suffice for all of their orders, nothing is
-- stored (SQLSTATE PK402) and the caller goes one by one, in the order of arrival.
create function accept_many_1(
  p_accounts bigint[], p_senders text[], p_sources text[], p_fingerprints bigint[], p_texts text[], p_encodings smallint[],
  p_parts smallint[], p_numbers bigint[], p_submit timestamptz, p_close timestamptz, p_duplicates_since timestamptz,
  p_keys text[], p_digests text[], p_modes text[], p_abroad boolean[], p_ips text[])
returns table (code integer, order_id bigint) language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  v_codes integer[];
  v_orders bigint[];
  v_count integer;
  v_first bigint;
  v_accounts bigint[];
  v_senders text[];
  v_sources text[];
  v_fingerprints bigint[];
  v_texts text[];
  v_encodings smallint[];
  v_parts smallint[];
  v_numbers bigint[];
  v_price record;
begin
  -- Twins wait for each other; in one order everywhere, so that two batches cannot wait for one another.
  perform pg_advisory_xact_lock(u.name) from (
    select distinct x.fingerprint # x.account as name from unnest(p_fingerprints, p_accounts) x(fingerprint, account) order by 1) u;

  select array_agg(case
      when u.key is not null and not exists (
        select 1 from credentials c join accounts a on a.id = c.account_id
        where c.key = u.key and a.id = u.account and encode(c.hash_digest, 'hex') = u.digest and c.disabled_at is null
          and a.status = 'active' and a.api_enabled and a.mode = u.mode and a.abroad = u.abroad and a.api_ips::text = u.ips
          and case when exists (select 1 from senders s where s.account_id = a.id and s.state = 'approved')
            then exists (select 1 from senders s where s.account_id = a.id and s.name = u.sender and s.state = 'approved')
            else u.sender = 'APITEST' end) then 0
      when exists (select 1 from blacklist_entries b where b.account_id = u.account and b.number = u.number) then 452
      when u.nth > 1 or exists (select 1 from orders o where o.account_id = u.account and o.fingerprint = u.fingerprint
        and o.submit_at > p_duplicates_since and o.state <> 'cancelled') then 451
      else 200 end order by u.ord)
    into v_codes
    from (select *, row_number() over (partition by x.account, x.fingerprint order by x.ord) as nth
      from unnest(p_accounts, p_fingerprints, p_numbers, p_senders, p_keys, p_digests, p_modes, p_abroad, p_ips) with ordinality
        x(account, fingerprint, number, sender, key, digest, mode, abroad, ips, ord)) u;

  select count(*), array_agg(u.account order by u.ord), array_agg(u.sender order by u.ord), array_agg(u.source order by u.ord),
      array_agg(u.fingerprint order by u.ord), array_agg(u.text order by u.ord), array_agg(u.encoding order by u.ord),
      array_agg(u.parts order by u.ord), array_agg(u.number order by u.ord), array_agg(nextval('order_ids') order by u.ord)
    into v_count, v_accounts, v_senders, v_sources, v_fingerprints, v_texts, v_encodings, v_parts, v_numbers, v_orders
    from unnest(p_accounts, p_senders, p_sources, p_fingerprints, p_texts, p_encodings, p_parts, p_numbers, v_codes)
      with ordinality u(account, sender, source, fingerprint, text, encoding, parts, number, code, ord)
    where u.code = 200;

  if v_count > 0 then
    v_first := take_message_ids(v_count);
    insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at,
        close_after, fingerprint)
      select u.id, u.account, u.sender, 0, u.source, 'sending', 1, u.parts, v_first + u.ord - 1, p_submit, p_submit, p_close, u.fingerprint
      from unnest(v_orders, v_accounts, v_senders, v_sources, v_parts, v_fingerprints) with ordinality
        u(id, account, sender, source, parts, fingerprint, ord);
    insert into order_texts (order_id, account_id, no, text, encoding, parts)
      select u.id, u.account, 1, u.text, u.encoding, u.parts
      from unnest(v_orders, v_accounts, v_texts, v_encodings, v_parts) u(id, account, text, encoding, parts);
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select v_first + u.ord - 1, u.account, u.id, u.number, 1, u.parts, 110
      from unnest(v_orders, v_accounts, v_numbers, v_parts) with ordinality u(id, account, number, parts, ord);
    insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
      select u.account, u.id, 0, 0, v_first + u.ord - 1, 1, p_submit
      from unnest(v_orders, v_accounts) with ordinality u(id, account, ord);
    insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
      select u.account, 'reserve', -u.parts, u.parts, u.id, p_submit
      from unnest(v_orders, v_accounts, v_parts) u(id, account, parts);
    insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
      select u.account, 'accepted', u.id, v_first + u.ord - 1, 1
      from unnest(v_orders, v_accounts) with ordinality u(id, account, ord)
      where exists (select 1 from webhook_endpoints w where w.account_id = u.account and w.url <> '');
    -- Last, so that the balances are locked for as short as can be; rows in one order, against deadlock.
    for v_price in
      select u.account, sum(u.parts) as sms from unnest(v_accounts, v_parts) u(account, parts) group by u.account order by u.account
    loop
      update balances b set sms = b.sms - v_price.sms where b.account_id = v_price.account and b.sms >= v_price.sms;
      if not found then raise exception 'credit does not suffice' using errcode = 'PK402'; end if;
    end loop;
  end if;

  return query
    select u.code, v_orders[sum((u.code = 200)::integer) over (order by u.ord)::integer]
    from unnest(v_codes) with ordinality u(code, ord) order by u.ord;
end $$;
