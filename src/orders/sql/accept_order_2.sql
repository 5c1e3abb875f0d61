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
  v_facts record;
  v_done boolean;
  v_callers order_callers;
  v_orders new_orders;
begin
  v_done := wait_for_duplicates_1(p_account, p_fingerprint, p_claim.key);
  if p_claim.key is not null then
    select a.code, a.order_id into code, order_id from answer_of_key_1(p_account, p_claim) a;
  end if;
  replayed := code is not null;
  if replayed then return; end if;

  -- A statement of its own, after the lock: only then does it see what a duplicate of this order committed meanwhile.
  select (select b.sms from balances b where b.account_id = p_account) as balance,
      exists (select 1 from blacklist_entries b where b.account_id = p_account) as blacklist,
      (select true from duplicates_1(p_account, p_fingerprint, p_terms.duplicates_since) limit 1) as duplicate,
      exists (select 1 from webhook_endpoints w where w.owner_id = p_account and w.url <> '') as hooked
    into v_facts;
  if p_terms.consent_list is not null or cardinality(p_recipients.bad_at) > 0 or v_facts.blacklist then
    reasons := blocked_reasons_1(p_account, p_recipients.numbers, p_terms.consent_list);
    p_recipients.reasons := reasons;
    select count(*) into v_sendable from unnest(reasons) r where r = 0;
  end if;
  price := price_of_1(p_recipients, p_texts.parts);
  code := case
    when v_sendable = 0 then case when 3 = any (reasons) then 469 else 452 end
    when v_facts.duplicate then 451
    when v_facts.balance is null or v_facts.balance < price then 402
    else 200 end;
  if code <> 200 then return; end if;

  select t.first_order, t.first_message into order_id, first_id from take_ids_1(1, v_total) t;
  v_callers := row(array[p_account], array[p_sender], null, array[v_facts.hooked]);
  v_orders := row(array[1], array[p_source], array[p_fingerprint], p_texts.texts[1:1], p_texts.encodings[1:1], p_texts.parts[1:1],
    null, array[v_total], array[v_total - v_sendable], array[price]);
  v_done := store_orders_1(v_callers, p_terms, v_orders, order_id, first_id);
  if p_recipients.text_nos is not null then perform store_more_texts_1(p_account, order_id, p_texts); end if;
  if p_claim.key is not null then perform remember_key_1(p_account, p_claim, order_id, p_terms.submit_at); end if;
  if p_copied then return; end if;
  v_done := store_messages_1(array[p_account], array[1], p_recipients, p_texts.parts, p_terms.submit_at, order_id, first_id);
  v_done := take_credit_1(p_account, array[price]);
end $$;
