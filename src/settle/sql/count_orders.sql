-- Adds ended messages to the counters of their orders, and ends orders whose messages have all ended. An order of one message enters the
-- number index here; larger orders are indexed in the background (number_ended_orders). Returns whether an order came over SMPP.
create or replace function count_orders(p_sums order_ends) returns boolean language plpgsql as $$
declare
  v_accounts bigint[];
  v_numbers bigint[];
  v_messages bigint[];
  v_smpp boolean;
begin
  with counted as (update orders o set delivered = o.delivered + r.delivered, undelivered = o.undelivered + r.undelivered,
      consumed = o.consumed + r.consumed, reserved = o.reserved - r.consumed - r.released,
      -- Failed: no carrier got any message of it (bad number, blacklist, consent, sender, validity over).
      state = case
        when o.state <> 'sending' or o.delivered + o.undelivered + r.delivered + r.undelivered < o.total then o.state
        when o.delivered + r.delivered = 0 and not exists (select 1 from messages m where m.account_id = o.account_id
          and m.id between o.first_message_id and o.first_message_id + o.total - 1 and m.reason not in (1, 2, 3, 4, 18))
          then 'failed'
        else 'finished' end,
      finished_at = case when o.delivered + o.undelivered + r.delivered + r.undelivered = o.total then coalesce(o.finished_at, now()) end
    from unnest(p_sums.accounts, p_sums.orders, p_sums.delivered, p_sums.undelivered, p_sums.consumed, p_sums.released, p_sums.messages, p_sums.numbers)
      r(account_id, order_id, delivered, undelivered, consumed, released, message, number)
    where o.id = any (p_sums.orders) and o.id = r.order_id and o.account_id = r.account_id
    -- An order that only had a late delivery ended before.
    returning o.smpp is not null as smpp, o.total = 1 as single, o.account_id, o.id, r.message, r.number, o.first_message_id, o.total,
      o.finished_at is not null and r.delivered + r.undelivered > 0 as ended),
  queued as (
    insert into number_queue select c.id, c.account_id, c.first_message_id, c.total from counted c
      where not c.single and c.ended on conflict do nothing)
  select (select bool_or(x.smpp) from counted x), array_agg(c.account_id), array_agg(c.number), array_agg(c.message)
    into v_smpp, v_accounts, v_numbers, v_messages from counted c where c.single and c.ended;
  if v_messages is not null then perform number_messages(v_accounts, v_numbers, v_messages); end if;
  return v_smpp;
end $$;
