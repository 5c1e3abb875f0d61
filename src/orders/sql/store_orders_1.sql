-- Stores orders that were judged, with their chunks, the entries that reserve their credit and the word to those who want to be
-- told. One way for both: many orders of one recipient, or one of many. Messages are stored by store_messages_1, or copied in.
--
-- Columns are read by their subscripts: unnest() of several arrays makes a store of rows for each of them. Those of texts have
-- variables of their own, which are unpacked once; to find the nth text otherwise means to walk over those before it.
create or replace function store_orders_1(p_callers order_callers, p_terms order_terms, p_orders new_orders,
  p_first_order bigint, p_first_message bigint) returns boolean language plpgsql as $$
declare
  v_count integer := cardinality(p_orders.callers);
  v_sources text[] := p_orders.sources;
  v_texts text[] := p_orders.texts;
begin
  insert into orders (id, account_id, sender, lane, consent_list, source, state, total, undelivered, reserved,
      first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
    select p_first_order + i - 1, p_callers.accounts[p_orders.callers[i]], p_callers.senders[p_orders.callers[i]], p_terms.lane,
      p_terms.consent_list, v_sources[i], case when p_terms.scheduled then 'scheduled' else 'sending' end, coalesce(p_orders.totals[i], 1),
      coalesce(p_orders.undelivered[i], 0), coalesce(p_orders.prices[i], p_orders.parts[i]), p_first_message + i - 1,
      p_terms.submit_at, p_terms.send_at, p_terms.close_after, p_orders.fingerprints[i], v_texts[i], p_orders.encodings[i], p_orders.parts[i]
    from generate_series(1, v_count) i;
  if p_orders.totals is null then
    insert into chunks (account_id, order_id, lane, rank, first_message_id, count, due_at)
      select p_callers.accounts[p_orders.callers[i]], p_first_order + i - 1, p_terms.lane, chunk_rank_1(1),
        p_first_message + i - 1, 1, least(p_terms.submit_at, now())
      from generate_series(1, v_count) i;
  elsif not p_terms.scheduled then
    perform insert_chunks_1(p_callers.accounts[1], p_first_order, p_terms.lane, p_first_message, p_orders.totals[1], p_terms.chunk,
      least(p_terms.submit_at, now()));
  end if;
  insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
    select p_callers.accounts[p_orders.callers[i]], 'reserve', -coalesce(p_orders.prices[i], p_orders.parts[i]),
      coalesce(p_orders.prices[i], p_orders.parts[i]), p_first_order + i - 1, p_terms.submit_at
    from generate_series(1, v_count) i;
  if true = any (p_callers.hooked) then
    -- Refused recipients are told as undelivered, with the same row.
    insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
      select w.key, 'accepted', p_first_order + i - 1, p_first_message + i - 1, coalesce(p_orders.totals[i], 1)
      from unnest(p_callers.accounts, p_callers.hooked) with ordinality a(account_id, hooked, caller)
      cross join lateral (
        select e.account_id as key, e.skipped from webhook_endpoints e where a.hooked and e.owner_id = a.account_id and e.url <> ''
        offset 0) w
      join generate_series(1, v_count) i on p_orders.callers[i] = a.caller
      where not 'accepted' = any (w.skipped) or (p_orders.undelivered[i] > 0 and not 'undelivered' = any (w.skipped));
  end if;
  return true;
end $$;
