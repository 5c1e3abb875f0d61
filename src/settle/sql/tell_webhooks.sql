-- An event for each address that wants it and each order: which of its messages came to their end.
create or replace function tell_webhooks(p_accounts bigint[], p_messages bigint[]) returns void language plpgsql as $$
begin
  insert into webhook_outbox (account_id, kind, order_id, message_ids)
    select w.account_id, 'final', m.order_id, array_agg(m.id order by m.id)
    from messages m join webhook_endpoints w on w.owner_id = m.account_id
    where m.id = any (p_messages) and w.owner_id = any (p_accounts) and w.url <> ''
      and not case m.status when 111 then 'delivered' else 'undelivered' end = any (w.skipped)
    group by w.account_id, m.order_id;
end $$;
