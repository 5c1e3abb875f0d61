-- Stores the orders, their keys and the reservations in the ledger.
create or replace function store_orders(p_orders new_orders, p_codes integer[], p_ids bigint[], p_firsts bigint[], p_free integer[],
  p_prices bigint[], p_now timestamptz, p_lasts interval) returns boolean language plpgsql as $$
begin
  with o as materialized (
    select u.* from unnest(p_ids, p_firsts, p_codes, p_prices, p_free, p_orders.accounts, p_orders.senders, p_orders.sources,
        p_orders.fingerprints, p_orders.lanes, p_orders.lists, p_orders.send_at, p_orders.texts, p_orders.encodings, p_orders.parts,
        p_orders.totals, p_orders.keys, p_orders.digests, p_orders.smpp)
      u(id, first, code, price, free, account, sender, source, fingerprint, lane, list, send_at, text, encoding, parts, total, key, digest, smpp)
    where u.code = 200),
  stored as (
    insert into orders (id, account_id, sender, lane, consent_list, source, state, total, undelivered, reserved, first_message_id, submit_at,
        send_at, close_after, fingerprint, text, encoding, parts, smpp)
      select id, account, sender, lane, list, source, case when send_at > p_now then 'scheduled' else 'sending' end, total, total - free, price,
        first, p_now, coalesce(send_at, p_now), coalesce(send_at, p_now) + p_lasts, fingerprint, text, encoding, parts, smpp
      from o),
  keyed as (
    insert into idempotency_keys (account_id, key, body_digest, order_id, created_at)
      select account, key, digest, id, p_now from o where key is not null
      on conflict (account_id, key) do update set body_digest = excluded.body_digest, order_id = excluded.order_id, created_at = excluded.created_at)
  -- created_at is the start of this transaction, as for every entry: a move asks for entries by it.
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select account, 'reserve', -price, price, id from o;
  return true;
end $$;
