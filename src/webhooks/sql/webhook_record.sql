-- Records the results of posts in one transaction: health and lease of each account, progress of folded rows, single events. It requires the
-- caller's own lease, so that a process that slept past it changes nothing. Returns the accounts whose lease the caller still holds.
create or replace function webhook_record(p_now timestamptz, p_lease_ms integer, p_streams jsonb,
  f_accounts bigint[], f_ids bigint[], f_done integer[], p_deliveries jsonb) returns bigint[] language plpgsql as $$
declare
  v_ours bigint[];
begin
  with changed as (
    update webhook_states s set state = x.state, reason = x.reason, answer_status = x.answer_status, failures = x.failures, failing_since = x.failing_since,
      probes = x.probes, next_probe_at = x.next_probe_at, last_success_at = coalesce(x.last_success_at, s.last_success_at),
      lease_token = case when x.release then null else s.lease_token end,
      lease_until = case when x.release then now() else now() + make_interval(secs => p_lease_ms / 1000.0) end
    from jsonb_to_recordset(p_streams) x(account bigint, token bigint, state text, reason text, answer_status integer, failures integer,
      failing_since timestamptz, probes integer, next_probe_at timestamptz, last_success_at timestamptz, release boolean)
    where s.account_id = x.account and s.lease_token = x.token
    returning s.account_id)
  select coalesce(array_agg(account_id), '{}') into v_ours from changed;

  if cardinality(f_ids) > 0 then
    -- -1 = every event of the row is settled.
    delete from webhook_outbox o where o.account_id = any (v_ours)
      and o.id = any (array(select f.id from unnest(f_ids, f_done) f(id, done) where f.done < 0));
    update webhook_outbox o set done = f.done from unnest(f_accounts, f_ids, f_done) f(account_id, id, done)
      where f.done >= 0 and o.account_id = f.account_id and o.id = f.id and o.account_id = any (v_ours);
  end if;

  if jsonb_array_length(p_deliveries) > 0 then
    insert into webhook_deliveries as d (account_id, outbox_id, subject_id, kind, event, order_id, state, attempts, body,
        next_at, expires_at, created_at, last_at, signed_at, signature, answer_status, answer_body, answer_ms, error)
      select x.account, x.outbox, x.subject, x.kind, x.event, x."order", x.state, x.attempts, x.body,
        coalesce(x.next_at, 'infinity'), x.expires_at, x.created_at, x.last_at, x.signed_at, x.signature,
        x.answer_status, x.answer_body, x.answer_ms, x.error
      from jsonb_to_recordset(p_deliveries) x(account bigint, outbox bigint, subject bigint, kind text, event text,
        "order" bigint, state text, attempts integer, body text, next_at timestamptz, expires_at timestamptz,
        created_at timestamptz, last_at timestamptz, signed_at bigint, signature text, answer_status integer,
        answer_body text, answer_ms integer, error text)
      where x.account = any (v_ours)
      on conflict (account_id, outbox_id, subject_id) do update set state = excluded.state, attempts = excluded.attempts,
        body = excluded.body, next_at = excluded.next_at, last_at = excluded.last_at, signed_at = excluded.signed_at,
        signature = excluded.signature, answer_status = excluded.answer_status, answer_body = excluded.answer_body,
        answer_ms = excluded.answer_ms, error = excluded.error;
    -- Events that waited behind one that has now succeeded or was given up.
    update webhook_deliveries d set next_at = p_now
      from jsonb_to_recordset(p_deliveries) x(account bigint, outbox bigint, subject bigint, kind text, state text)
      where x.state <> 'pending' and x.kind in ('accepted', 'final') and x.account = any (v_ours)
        and d.account_id = x.account and d.subject_id = x.subject and d.outbox_id <> x.outbox
        and d.state = 'pending' and d.next_at = 'infinity';
  end if;

  -- An endpoint that recovered gets its waiting events now, not hours later by their own schedule.
  update webhook_deliveries d set next_at = p_now
    from jsonb_to_recordset(p_streams) x(account bigint, recovered boolean)
    where x.recovered and x.account = any (v_ours) and d.account_id = x.account and d.state = 'pending'
      and d.next_at > p_now and d.next_at < 'infinity';
  return v_ours;
end $$;
