-- `accept` in a transaction of its own, in one round trip. It does not wait for the disk, so that the balances are free for the next batch
-- meanwhile. A second transaction writes a record that nobody reads, because only a transaction that wrote something waits for the disk: when
-- it ends all is durable, also an order of an earlier batch that an answer names (208). It takes no lock, so an error that means that a
-- statement was rolled back (SQLSTATE 55P03 and others) always comes from `accept`.
create or replace procedure accept_durably(p_orders new_orders, p_recipients new_recipients, p_more new_texts, p_locks bigint[], p_now timestamptz,
  p_lasts interval, p_alike interval, p_keys interval, p_strict boolean, p_unpaid boolean,
  out codes integer[], out ids bigint[], out prices bigint[]) language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  select a.* into codes, ids, prices from accept(p_orders, p_recipients, p_more, p_locks, p_now, p_lasts, p_alike, p_keys, p_strict, p_unpaid) a;
  commit;
  perform pg_logical_emit_message(true, 'peyk', '');
end $$;
