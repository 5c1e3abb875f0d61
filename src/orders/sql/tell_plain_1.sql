-- The word to webhooks that want to be told of plain orders, as tell_accepted_1 says it of others.
create or replace function tell_plain_1(p_callers order_callers, p_orders plain_orders, p_groups integer[], p_first_order bigint,
  p_first_message bigint) returns boolean language plpgsql as $$
declare
  v_joint record := joint_orders_1(p_groups);
begin
  insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
    select w.account_id, 'accepted', p_first_order + i, p_first_message + i, coalesce(v_joint.sizes[i + 1], 1)
    from generate_series(0, cardinality(p_orders.callers) - 1) i
    cross join lateral (
      select e.account_id, e.skipped from webhook_endpoints e
      where e.owner_id = p_callers.accounts[p_orders.callers[i + 1]] and e.url <> '' offset 0) w
    where not 'accepted' = any (w.skipped) and (p_groups is null or v_joint.sizes[i + 1] > 0);
  return true;
end $$;
