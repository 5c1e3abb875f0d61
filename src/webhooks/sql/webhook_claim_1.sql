-- Nobody calls it since 0.2.0: webhook_claim_2. For a program of before: the first address of an account, which is all it knows;
-- none where texts were ever sealed, which it would post as they stand.
create or replace function webhook_claim_1(p_now timestamptz, p_lease_ms integer, p_max integer)
returns setof webhook_states language sql as $$
  insert into webhook_states as s (account_id, lease_token, lease_until)
  select c.account_id, nextval('lease_tokens'), now() + make_interval(secs => p_lease_ms / 1000.0)
  from (
    select e.account_id from webhook_endpoints e left join webhook_states h on h.account_id = e.account_id
    where not exists (select 1 from installation i where i.name = 'content-sealed') and e.account_id > 0 and e.url <> '' and not exists (select 1 from account_fences f where f.account_id = e.owner_id)
      and (h.lease_until is null or h.lease_until <= now())
      and (h.next_probe_at is null or h.next_probe_at <= p_now)
      and (exists (select 1 from webhook_outbox o where o.account_id = e.account_id and o.parked_at is null)
        or exists (select 1 from webhook_deliveries d where d.account_id = e.account_id and d.state = 'pending'
          and d.next_at <= case when h.next_probe_at is null then p_now else '9999-01-01' end))
    order by h.lease_until nulls first limit p_max) c
  on conflict (account_id) do update set lease_token = excluded.lease_token, lease_until = excluded.lease_until
    where s.lease_until is null or s.lease_until <= now()
  returning s.*
$$;
