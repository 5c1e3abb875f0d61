-- Many small orders in one go: those that arrive together are judged and written together, so the fixed cost of a
-- statement is paid once for all of them. Only the plain case: one valid recipient, one text, now, no consent check, no
-- idempotency key. p_locks: of the duplicates of these orders, null when none of them can have any; p_any_duplicates: two of them are
-- duplicates. Codes as judge_orders_2 says; orders with code 200 get consecutive ids from r_first_order on. When somebody's credit does
-- not suffice for all of their orders, nothing is stored (SQLSTATE PK402) and the caller goes one by one, in the order of arrival.
-- p_announce: what dispatchers are told, if anything. p_origins: of orders that came over SMPP (orders.smpp), each once, and which of
-- them is each order's; null: none came so. p_groups: which of them are stored as one (docs/decisions/0021-joint-orders.md), side by side,
-- 0 for those that stand alone; null: all do.
--
-- Three transactions, one round trip. The first stores the orders without waiting for the disk, so that the balances are
-- free for the next batch meanwhile. The second wakes dispatchers: after the commit, because a pending NOTIFY makes commits
-- queue; and not after the flush, because nothing leaves before a claim has flushed the log anyway. The third writes a
-- record that nobody reads, since only who has written something waits for the disk: when it ends, all three are durable
-- and the answers may be told.
create or replace procedure accept_many_4(p_callers order_callers, p_terms order_terms, p_orders plain_orders,
  p_locks bigint[], p_any_duplicates boolean, p_announce text, p_origins jsonb[], p_origin_nos integer[], p_groups integer[],
  out r_codes integer[], out r_first_order bigint) language plpgsql as $$
declare
  v_count integer;
  v_ids record;
  v_done boolean;
  v_salt bigint := lock_salt_1();
begin
  perform set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true);
  if p_locks is not null then
    -- Duplicates wait for each other; in one order everywhere, so that two batches cannot wait for one another.
    perform pg_advisory_xact_lock(u.name # v_salt) from unnest(p_locks) u(name);
  end if;
  -- After the locks: only then is seen what a duplicate committed meanwhile.
  r_codes := judge_orders_2(p_callers, p_orders, p_terms.duplicates_since, p_locks is not null, p_any_duplicates);
  if 200 <> any (r_codes) then
    p_orders := only_accepted_1(p_orders, r_codes);
    p_origin_nos := array(select p_origin_nos[i] from generate_series(1, cardinality(r_codes)) i where r_codes[i] = 200);
    if p_groups is not null then
      p_groups := array(select p_groups[i] from generate_series(1, cardinality(r_codes)) i where r_codes[i] = 200);
    end if;
  end if;
  v_count := cardinality(p_orders.callers);
  if v_count > 0 then
    v_ids := take_ids_1(v_count, v_count);
    r_first_order := v_ids.first_order;
    v_done := store_plain_2(p_callers, p_terms, p_orders, p_origins, p_origin_nos, p_groups, v_ids.first_order,
      v_ids.first_message);
    if true = any (p_callers.hooked) then
      v_done := tell_plain_1(p_callers, p_orders, p_groups, v_ids.first_order, v_ids.first_message);
    end if;
    v_done := case when p_callers.accounts[1] = all (p_callers.accounts)
      then take_credit_1(p_callers.accounts[1], (select sum(x) from unnest(p_orders.parts) x))
      else take_credits_1(plain_orders_1(p_callers, p_orders)) end;
  end if;
  commit;

  if p_announce <> '' then
    perform set_config('synchronous_commit', 'off', true), pg_notify(channel_1('peyk_dispatch'), p_announce);
    commit;
  end if;
  perform pg_logical_emit_message(true, 'peyk', '');
end $$;
