-- The word to webhooks that want to be told of these orders. Refused recipients are told as undelivered, with the same row.
create or replace function tell_accepted_1(p_orders new_order[], p_first_order bigint, p_first_message bigint) returns boolean
language plpgsql as $$
begin
  insert into webhook_outbox (account_id, kind, order_id, first_message_id, message_count)
    select w.account_id, 'accepted', p_first_order + o.ordinality - 1, p_first_message + o.ordinality - 1, o.total
    from unnest(p_orders) with ordinality o
    cross join lateral (
      select e.account_id, e.skipped from webhook_endpoints e where e.owner_id = o.account_id and e.url <> '' offset 0) w
    where not 'accepted' = any (w.skipped) or (o.undelivered > 0 and not 'undelivered' = any (w.skipped));
  return true;
end $$;
