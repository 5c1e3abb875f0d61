-- `accept` in transactions of its own, one round trip. The first stores the orders without waiting for the disk, so that the balances are free
-- for the next batch meanwhile. The second notifies dispatchers: after the commit, because a pending notification makes commits wait for each
-- other; before the disk, because a claim flushes the log anyway. The third writes a record that nobody reads, because only a transaction that
-- wrote something waits for the disk: when it ends all is durable, also an order of an earlier batch that an answer names (208).
create or replace procedure accept_durably(p_orders new_orders, p_recipients new_recipients, p_more new_texts, p_locks bigint[], p_now timestamptz,
  p_lasts interval, p_alike interval, p_keys interval, p_strict boolean, p_unpaid boolean,
  out codes integer[], out ids bigint[], out prices bigint[]) language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  select a.* into codes, ids, prices from accept(p_orders, p_recipients, p_more, p_locks, p_now, p_lasts, p_alike, p_keys, p_strict, p_unpaid) a;
  commit;
  perform set_config('synchronous_commit', 'off', true), pg_notify(channel('peyk_dispatch'), string_agg(distinct o.lane || ':' || o.account, ' '))
    from unnest(p_orders.lanes, p_orders.accounts, p_orders.send_at, codes) o(lane, account, send_at, code)
    where o.code = 200 and (o.send_at > p_now) is not true having count(*) > 0;
  commit;
  perform pg_logical_emit_message(true, 'peyk', '');
end $$;
