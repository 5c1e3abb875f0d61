-- Messages come to their end: 110 → 111 | 112, once; and 112 → 111 where we had closed one for lack of a receipt or an answer (14, 15) that
-- was delivered after all. Counters, credit, ledger and the word to customers change with them, counted from the rows that really changed.
-- Ids of 0 and below are passed over. Returns how many changed. Locked are messages, orders, balances, each in the order of ids:
-- rows come by index in the order of their keys, or in that of the arrays, which are sorted (docs/decisions/0008-lock-order.md).
create or replace function settle(p_messages bigint[], p_statuses smallint[], p_reasons smallint[]) returns integer language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off
set enable_bitmapscan = off as $$
declare
  v_ended record;
  v_smpp boolean;
begin
  if coalesce(cardinality(p_messages), 0) = 0 then return 0; end if;
  v_ended := end_messages(p_messages, p_statuses, p_reasons);
  if v_ended.ids is null then return 0; end if;
  v_smpp := count_orders(v_ended.sums);
  perform book_ends(v_ended.sums, v_ended.late is not null);
  if v_ended.late is not null then perform charge_late(v_ended.late); end if;
  if exists (select 1 from webhook_endpoints w where w.owner_id = any ((v_ended.sums).accounts) and w.url <> '') then
    perform tell_webhooks((v_ended.sums).accounts, v_ended.ids);
  end if;
  if v_smpp then perform tell_smpp(v_ended.ids); end if;
  return cardinality(v_ended.ids);
end $$;
