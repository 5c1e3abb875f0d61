-- Accepts one order or says why not: 452, 469, 451, 402; 422 when the idempotency key was used with another body.
-- Duplicates wait for each other; the account's balance row is locked only by the last statement, so that orders of one account are
-- written side by side. If the credit went meanwhile, that statement finds nothing to take and everything is undone
-- (SQLSTATE PK402).
-- With p_copied, messages and credit are left to the caller, who copies the rows in and then takes the credit, in the same
-- transaction: for 50,000 recipients COPY takes 60 % of the time of an INSERT. What the rows need comes back: first_id, and
-- reasons (0 may be written to, else why not; null = nobody is held back).
create or replace function accept_order_2(p_account bigint, p_sender text, p_source text, p_fingerprint bigint, p_terms order_terms,
  p_texts text_columns, p_recipients recipient_columns, p_claim idempotency_claim, p_copied boolean,
  out code integer, out order_id bigint, out replayed boolean, out first_id bigint, out price bigint, out reasons smallint[])
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_sort = off as $$
declare
  v_total integer := cardinality(p_recipients.numbers);
  v_sendable integer := v_total;
  v_balance bigint;
  v_blacklist boolean;
  v_duplicate boolean;
  v_hooked boolean;
  v_single bigint;
  v_ids record;
  v_done boolean;
  v_orders new_order[];
begin
  -- Duplicates, and requests with the same idempotency key, wait for each other until the transaction ends.
  perform pg_advisory_xact_lock(p_fingerprint # p_account # lock_salt_1()),
    case when p_claim.key is not null then pg_advisory_xact_lock(hashtextextended(p_claim.key, p_account) # lock_salt_1()) end;
  if p_claim.key is not null then
    select a.code, a.order_id into code, order_id from answer_of_key_1(p_account, p_claim) a;
  end if;
  replayed := code is not null;
  if replayed then return; end if;

  -- A statement of its own, after the lock: only then does it see what a duplicate of this order committed meanwhile.
  select (select b.sms from balances b where b.account_id between p_account and p_account order by b.account_id desc limit 1),
      exists (select 1 from blacklist_entries b where b.account_id = p_account),
      (select true from duplicates_1(p_account, p_fingerprint, p_terms.duplicates_since) limit 1),
      exists (select 1 from webhook_endpoints w where w.owner_id = p_account and w.url <> '')
    into v_balance, v_blacklist, v_duplicate, v_hooked;
  if p_terms.consent_list is not null or cardinality(p_recipients.bad_at) > 0 or v_blacklist then
    reasons := blocked_reasons_1(p_account, p_recipients.numbers, p_terms.consent_list);
    p_recipients.reasons := reasons;
    select count(*) into v_sendable from unnest(reasons) r where r = 0;
  end if;
  price := case when p_recipients.text_nos is null then v_sendable::bigint * p_texts.parts[1] else price_of_1(p_recipients, p_texts.parts) end;
  code := case
    when v_sendable = 0 then case when 3 = any (reasons) then 469 else 452 end
    when v_duplicate then 451
    when v_balance is null or v_balance < price then 402
    else 200 end;
  if code <> 200 then return; end if;

  v_ids := take_ids_1(1, v_total);
  order_id := v_ids.first_order;
  first_id := v_ids.first_message;
  -- Of several texts the one that has a recipient need not be the first.
  v_single := case when v_total = 1 and reasons is null and p_recipients.text_nos is null and not p_copied then p_recipients.numbers[1] end;
  v_orders := array[row(p_account, p_sender, p_source, p_fingerprint, p_texts.texts[1], p_texts.encodings[1], p_texts.parts[1],
    v_total, v_total - v_sendable, price, v_single)::new_order];
  v_done := store_orders_1(v_orders, p_terms, order_id, first_id);
  if v_total > p_terms.chunk and not p_terms.scheduled then
    perform insert_chunks_1(p_account, p_terms.lane, first_id, v_total, p_terms.chunk, now());
  end if;
  if p_recipients.text_nos is not null then v_done := store_more_texts_1(p_account, order_id, p_texts); end if;
  if p_claim.key is not null then
    insert into idempotency_keys (account_id, key, body_digest, order_id, created_at)
      values (p_account, p_claim.key, p_claim.body_digest, order_id, p_terms.submit_at)
      on conflict (account_id, key) do update set body_digest = excluded.body_digest, order_id = excluded.order_id,
        created_at = excluded.created_at;
  end if;
  if v_hooked then v_done := tell_accepted_1(v_orders, order_id, first_id); end if;
  if p_copied then return; end if;
  if v_single is null then
    v_done := store_recipients_1(p_account, order_id, first_id, p_recipients, p_texts.parts, p_terms.submit_at);
  end if;
  v_done := take_credit_1(p_account, price);
end $$;
