-- Accepts one order or says why not: 452, 469, 451, 402; 422 when the idempotency key was used with another body.
-- p_numbers: recipients in the order given, 0 for a bad one, whose text stands in p_bad_text at p_bad_at.
-- p_text_nos: which text each recipient gets; null when there is only one.
-- Twins (the same order, the same key) wait for each other on an advisory lock; the account's balance row is locked only by
-- the last statement, so that orders of one account are written side by side. If the credit went meanwhile, that statement
-- finds nothing to take and everything is undone (SQLSTATE PK402).
-- With p_copied, messages and credit are left to the caller, who copies the rows in and then takes the credit, in the same
-- transaction: for 50,000 recipients COPY takes 60 % of the time of an INSERT. What the rows
-- need comes back: first_id, and blocked as above (null = nobody is).
-- A twin is looked for "between itself and itself" and in order, while sorting is forbidden: see accept_many_1.
create or replace function accept_order_1(
  p_account bigint, p_sender text, p_lane smallint, p_list text, p_source text,
  p_submit timestamptz, p_send timestamptz, p_close timestamptz, p_scheduled boolean, p_fingerprint bigint,
  p_duplicates_since timestamptz, p_texts text[], p_encodings smallint[], p_parts smallint[],
  p_numbers bigint[], p_text_nos integer[], p_bad_at integer[], p_bad_text text[], p_chunk integer,
  p_key text, p_key_digest bytea, p_key_since timestamptz, p_copied boolean default false,
  out code integer, out order_id bigint, out replayed boolean, out first_id bigint, out price bigint, out blocked smallint[])
language plpgsql set jit = off set enable_seqscan = off set enable_sort = off as $$
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
      (select true from orders o where o.account_id = p_account and o.fingerprint between p_fingerprint and p_fingerprint
        and o.submit_at > p_duplicates_since and o.state <> 'cancelled' order by o.fingerprint limit 1),
      exists (select 1 from webhook_endpoints w where w.owner_id = p_account and w.url <> '')
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
      values (p_account, order_id, p_lane, case when v_total <= 10 then 0 else 1 end, first_id, v_total, least(p_submit, now()));
  elsif not p_scheduled then
    perform insert_chunks_1(p_account, order_id, p_lane, first_id, v_total, p_chunk, least(p_submit, now()));
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
    -- Refused recipients are told as undelivered, with the same row.
    insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
      select w.account_id, 'accepted', accept_order_1.order_id, first_id, v_total from webhook_endpoints w
      where w.owner_id = p_account and w.url <> ''
        and (not 'accepted' = any (w.skipped) or (v_sendable < v_total and not 'undelivered' = any (w.skipped)));
  end if;
  if p_copied then return; end if;
  update balances b set sms = b.sms - price where b.account_id = p_account and b.sms >= price;
  if not found then raise exception 'the credit went meanwhile' using errcode = 'PK402'; end if;
end $$;
