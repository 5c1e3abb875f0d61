-- Ends the 24 hours of events that could not even be tried: endpoints that are down, removed, or blocked by p_pending_max
-- events that never succeed. Leased accounts wait for their next round, so that no progress is lost. A call gives up at most
-- 1,000 deliveries and 1,000 outbox rows, so that no lock is held for long; returns how many rows of both.
create or replace function webhook_give_up(p_now timestamptz, p_age interval, p_pending_max integer) returns integer language plpgsql as $$
declare
  v_accounts bigint[];
  v_deliveries integer;
  v_rows integer;
begin
  select array_agg(c.account_id) into v_accounts from (
    select s.account_id from webhook_states s join webhook_endpoints e on e.account_id = s.account_id where (s.lease_until is null or s.lease_until <= now())
      and (s.next_probe_at is not null or e.url = '' or p_pending_max <= (select count(*) from (
        select 1 from webhook_deliveries d where d.account_id = s.account_id and d.state = 'pending' limit p_pending_max) n))
    for update of s skip locked) c;
  if v_accounts is null then return 0; end if;
  update webhook_deliveries d set state = 'given-up', error = coalesce(d.error, 'down')
    where (d.account_id, d.outbox_id, d.subject_id) in (
      select x.account_id, x.outbox_id, x.subject_id from webhook_deliveries x where x.account_id = any (v_accounts) and x.state = 'pending'
        and x.expires_at <= p_now order by x.account_id, x.outbox_id limit 1000);
  get diagnostics v_deliveries = row_count;
  with parked as (
    update webhook_outbox o set parked_at = p_now
    where (o.account_id, o.id) in (
      select x.account_id, x.id from webhook_outbox x
      where x.account_id = any (v_accounts) and x.parked_at is null and coalesce(x.renewed_at, x.created_at) <= p_now - p_age
      order by x.account_id, x.id limit 1000)
    returning o.*)
  insert into webhook_deliveries as d (account_id, outbox_id, subject_id, kind, event, order_id, state, events, next_at, expires_at, created_at, last_at, error)
    select k.account_id, k.id, 0, k.kind, k.kind, k.order_id, 'given-up',
      coalesce(k.message_count, cardinality(k.message_ids), 1) - k.done, p_now, p_now, k.created_at, p_now, 'down'
    from parked k on conflict (account_id, outbox_id, subject_id) do update set state = 'given-up', events = excluded.events;
  get diagnostics v_rows = row_count;
  update webhook_deliveries d set next_at = p_now
    where d.account_id = any (v_accounts) and d.state = 'pending' and d.next_at = 'infinity'
      and not exists (select 1 from webhook_deliveries b where b.account_id = d.account_id and b.subject_id = d.subject_id
        and b.state = 'pending' and b.outbox_id < d.outbox_id);
  return v_deliveries + v_rows;
end $$;
