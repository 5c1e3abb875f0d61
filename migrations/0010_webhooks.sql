-- Posting notifications. Rows of the outbox stay folded while they wait: `done` says how many of their events are
-- settled, so an order of 50,000 costs one row whether its endpoint lives or not. Only what failed, what must wait
-- behind a failure and a sample of the successes become rows of webhook_deliveries.

alter table webhook_outbox
  add column done integer not null default 0,
  -- Given up while still folded; kept so that "resend" can take it up again.
  add column parked_at timestamptz,
  -- The 24 hours begin again here after a resend.
  add column renewed_at timestamptz,
  -- Rows live for seconds: without this, 20 % of a large backlog would be dead before anybody looks.
  set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index webhook_outbox_ready on webhook_outbox (account_id, id) where parked_at is null;

-- Health of each endpoint and who posts to it now. Apart from the settings, because it changes many times a second.
create table webhook_states (
  account_id bigint primary key,
  state text not null default 'healthy' check (state in ('healthy', 'failing', 'paused')),
  reason text,
  failures integer not null default 0,
  failing_since timestamptz,
  probes integer not null default 0,
  -- Set while only single probes are sent.
  next_probe_at timestamptz,
  last_success_at timestamptz,
  lease_token bigint,
  lease_until timestamptz
) with (fillfactor = 50);

create table webhook_deliveries (
  account_id bigint not null,
  outbox_id bigint not null,
  -- Message id, inbound id, or 0: for a test, and for the folded rest of an outbox row.
  subject_id bigint not null,
  kind text not null check (kind in ('accepted', 'final', 'inbound', 'test')),
  event text not null,
  order_id bigint,
  state text not null check (state in ('pending', 'delivered', 'given-up')),
  -- More than 1: this row stands for the folded rest of its outbox row.
  events integer not null default 1,
  attempts integer not null default 0,
  body text,
  -- 'infinity': waits for an earlier event of the same message.
  next_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  last_at timestamptz,
  signed_at bigint,
  signature text,
  answer_status integer,
  answer_body text,
  answer_ms integer,
  error text,
  primary key (account_id, outbox_id, subject_id)
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (account_id, next_at) where state = 'pending';
create index webhook_deliveries_waiting on webhook_deliveries (account_id, subject_id) where state = 'pending';
create index webhook_deliveries_by_time on webhook_deliveries using brin (created_at) with (pages_per_range = 16);

-- Leases accounts that have something to post, the longest unserved first. A lease that ran out is anybody's.
-- The clock of leases is the server's; p_now is the program's, which decides what is due.
create function webhook_claim_1(p_now timestamptz, p_lease_ms integer, p_max integer)
returns setof webhook_states language sql as $$
  insert into webhook_states as s (account_id, lease_token, lease_until)
  select c.account_id, nextval('lease_tokens'), now() + make_interval(secs => p_lease_ms / 1000.0)
  from (
    select e.account_id from webhook_endpoints e left join webhook_states h on h.account_id = e.account_id
    where e.url <> '' and (h.lease_until is null or h.lease_until <= now())
      and (h.next_probe_at is null or h.next_probe_at <= p_now)
      and (exists (select 1 from webhook_outbox o where o.account_id = e.account_id and o.parked_at is null)
        or exists (select 1 from webhook_deliveries d where d.account_id = e.account_id and d.state = 'pending'
          and d.next_at <= case when h.next_probe_at is null then p_now else '9999-01-01' end))
    order by h.lease_until nulls first limit p_max) c
  on conflict (account_id) do update set lease_token = excluded.lease_token, lease_until = excluded.lease_until
    where s.lease_until is null or s.lease_until <= now()
  returning s.*
$$;

-- The next events of folded rows, oldest first, at most p_budgets[i] for p_accounts[i]. s_ names rows that the caller
-- already has in hand and how far. Each slice begins with a row whose `at` is null and whose `upto` says how far the
-- slice goes. `held`: an earlier event of that message still waits for its retry. An account with p_pending_max such
-- events gets nothing more until some of them are through.
create function webhook_unfold_1(p_accounts bigint[], p_budgets integer[], p_pending_max integer,
  s_accounts bigint[], s_ids bigint[], s_to integer[])
returns table (account_id bigint, outbox_id bigint, kind text, total integer, upto integer, created_at timestamptz,
  at integer, subject_id bigint, order_id bigint, event text, recipient text, sender text, text text,
  received_at timestamptz, held boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_account bigint;
  v_budget integer;
  v_pending integer;
  v_upto integer;
  v_submit timestamptz;
  r record;
begin
  for v_account, v_budget in select * from unnest(p_accounts, p_budgets) loop
    select count(*) into v_pending from (select 1 from webhook_deliveries d
      where d.account_id = v_account and d.state = 'pending' limit p_pending_max) c;
    continue when v_pending >= p_pending_max;
    for r in
      select o.id, o.kind, o.order_id, o.first_message_id, o.message_ids, o.inbound_id,
        coalesce(o.renewed_at, o.created_at) as created_at, greatest(o.done, coalesce(s.upto, 0)) as start,
        coalesce(o.message_count, cardinality(o.message_ids), 1) as total
      from webhook_outbox o
      left join unnest(s_accounts, s_ids, s_to) s(account_id, id, upto) on s.account_id = o.account_id and s.id = o.id
      where o.account_id = v_account and o.parked_at is null
        and greatest(o.done, coalesce(s.upto, 0)) < coalesce(o.message_count, cardinality(o.message_ids), 1)
      order by o.id limit v_budget
    loop
      v_upto := least(r.total, r.start + v_budget);
      return query select v_account, r.id, r.kind, r.total, v_upto, r.created_at, null::integer, null::bigint, r.order_id,
        null::text, null::text, null::text, null::text, null::timestamptz, false;
      if r.kind in ('accepted', 'final') then
        select o.submit_at into v_submit from orders o where o.id = r.order_id and o.account_id = v_account;
        return query
          select v_account, r.id, r.kind, r.total, v_upto, r.created_at, u.at, m.id, m.order_id,
            case
              when m.status = 111 and r.kind = 'final' then 'delivered'
              when r.kind = 'final' or (m.reason in (1, 2, 3) and m.final_at <= v_submit) then 'undelivered'
              else 'accepted' end,
            coalesce('+' || m.number, m.given, ''), null::text, coalesce(t.text, ''), null::timestamptz,
            v_pending > 0 and exists (select 1 from webhook_deliveries d where d.account_id = v_account
              and d.subject_id = m.id and d.state = 'pending' and d.kind in ('accepted', 'final'))
          from (
            select g.at, r.first_message_id + g.at as id from generate_series(r.start, v_upto - 1) g(at) where r.kind = 'accepted'
            union all
            select r.start + i.ord::integer - 1, i.id from unnest(r.message_ids[r.start + 1:v_upto]) with ordinality i(id, ord)
              where r.kind = 'final') u
          join messages m on m.account_id = v_account and m.id = u.id
          left join lateral (select x.text from order_texts x
            where x.account_id = v_account and x.order_id = m.order_id and x.no = m.text_no offset 0) t on true
          order by u.at;
      elsif r.kind = 'inbound' then
        return query
          select v_account, r.id, r.kind, r.total, v_upto, r.created_at, 0, i.id, null::bigint, 'inbound',
            i.recipient, i.number_text, i.text, i.received_at, false
          from inbound_messages i where i.account_id = v_account and i.id = r.inbound_id;
      else
        return query select v_account, r.id, r.kind, r.total, v_upto, r.created_at, 0, 0::bigint, null::bigint, 'test',
          null::text, null::text, null::text, null::timestamptz, false;
      end if;
      v_budget := v_budget - (v_upto - r.start);
      exit when v_budget <= 0;
    end loop;
  end loop;
end $$;

-- What became of posts, all of it or nothing: health and lease of each account, progress of folded rows, single events.
-- Only under the caller's own lease, so that a process that slept past it changes nothing. Returns the accounts that
-- are still the caller's.
create function webhook_record_1(p_now timestamptz, p_lease_ms integer, p_streams jsonb,
  f_accounts bigint[], f_ids bigint[], f_done integer[], p_deliveries jsonb)
returns bigint[] language plpgsql as $$
declare
  v_ours bigint[];
begin
  with changed as (
    update webhook_states s set state = x.state, reason = x.reason, failures = x.failures, failing_since = x.failing_since,
      probes = x.probes, next_probe_at = x.next_probe_at, last_success_at = coalesce(x.last_success_at, s.last_success_at),
      lease_token = case when x.release then null else s.lease_token end,
      lease_until = case when x.release then now() else now() + make_interval(secs => p_lease_ms / 1000.0) end
    from jsonb_to_recordset(p_streams) x(account bigint, token bigint, state text, reason text, failures integer,
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
    -- Whatever waited behind an event that is now through, or given up.
    update webhook_deliveries d set next_at = p_now
      from jsonb_to_recordset(p_deliveries) x(account bigint, outbox bigint, subject bigint, kind text, state text)
      where x.state <> 'pending' and x.kind in ('accepted', 'final') and x.account = any (v_ours)
        and d.account_id = x.account and d.subject_id = x.subject and d.outbox_id <> x.outbox
        and d.state = 'pending' and d.next_at = 'infinity';
  end if;

  -- An endpoint that came back gets its waiting events now, not hours later by their own schedule.
  update webhook_deliveries d set next_at = p_now
    from jsonb_to_recordset(p_streams) x(account bigint, recovered boolean)
    where x.recovered and x.account = any (v_ours) and d.account_id = x.account and d.state = 'pending'
      and d.next_at > p_now and d.next_at < 'infinity';
  return v_ours;
end $$;

-- The end of the 24 hours for what could not even be tried: endpoints that are down, removed, or choked by
-- p_pending_max events that never succeed. Leased accounts wait for their next round, so that nobody's progress is lost.
create function webhook_give_up_1(p_now timestamptz, p_age interval, p_pending_max integer) returns integer
language plpgsql as $$
declare
  v_accounts bigint[];
  v_count integer;
begin
  select array_agg(c.account_id) into v_accounts from (
    select s.account_id from webhook_states s join webhook_endpoints e on e.account_id = s.account_id
    where (s.lease_until is null or s.lease_until <= now())
      and (s.next_probe_at is not null or e.url = '' or p_pending_max <= (select count(*) from (
        select 1 from webhook_deliveries d where d.account_id = s.account_id and d.state = 'pending' limit p_pending_max) n))
    for update of s skip locked) c;
  if v_accounts is null then return 0; end if;

  update webhook_deliveries d set state = 'given-up', error = coalesce(d.error, 'down')
    where d.account_id = any (v_accounts) and d.state = 'pending' and d.expires_at <= p_now;
  get diagnostics v_count = row_count;

  with parked as (
    update webhook_outbox o set parked_at = p_now
    where o.account_id = any (v_accounts) and o.parked_at is null and coalesce(o.renewed_at, o.created_at) <= p_now - p_age
    returning o.*)
  insert into webhook_deliveries as d (account_id, outbox_id, subject_id, kind, event, order_id, state, events, next_at,
      expires_at, created_at, last_at, error)
    select k.account_id, k.id, 0, k.kind, k.kind, k.order_id, 'given-up',
      coalesce(k.message_count, cardinality(k.message_ids), 1) - k.done, p_now, p_now, k.created_at, p_now, 'down'
    from parked k
    on conflict (account_id, outbox_id, subject_id) do update set state = 'given-up', events = excluded.events;

  update webhook_deliveries d set next_at = p_now
    where d.account_id = any (v_accounts) and d.state = 'pending' and d.next_at = 'infinity'
      and not exists (select 1 from webhook_deliveries b where b.account_id = d.account_id and b.subject_id = d.subject_id
        and b.state = 'pending' and b.outbox_id < d.outbox_id);
  return v_count;
end $$;

-- "Send it again": one delivery (p_outbox, p_subject) or, with nulls, all that failed since p_since. What was given up
-- while folded becomes an ordinary outbox row again. Returns the number of events.
create function webhook_resend_1(p_account bigint, p_outbox bigint, p_subject bigint, p_since timestamptz, p_now timestamptz,
  p_age interval) returns bigint language plpgsql as $$
declare
  v_events bigint;
  v_single bigint;
begin
  with folded as (
    delete from webhook_deliveries d using webhook_outbox o
    where d.account_id = p_account and d.body is null and d.state = 'given-up' and o.account_id = p_account
      and o.id = d.outbox_id and o.parked_at is not null
      and case when p_outbox is null then d.created_at >= p_since else d.outbox_id = p_outbox and d.subject_id = p_subject end
    returning d.outbox_id, d.events),
  woken as (
    update webhook_outbox o set parked_at = null, renewed_at = p_now from folded f
    where o.account_id = p_account and o.id = f.outbox_id)
  select coalesce(sum(f.events), 0) into v_events from folded f;

  -- Not the test events among "all that failed": they belong to the moment somebody pressed the button.
  update webhook_deliveries d set state = 'pending', attempts = 0, expires_at = p_now + p_age,
      next_at = case when d.kind = 'final' and exists (select 1 from webhook_deliveries b where b.account_id = p_account
          and b.subject_id = d.subject_id and b.kind = 'accepted' and b.outbox_id < d.outbox_id
          and (b.state = 'pending' or (p_outbox is null and b.state = 'given-up' and b.created_at >= p_since)))
        then 'infinity' else p_now end
    where d.account_id = p_account and d.body is not null
      and case when p_outbox is null then d.state <> 'delivered' and d.kind <> 'test' and d.created_at >= p_since
        else d.outbox_id = p_outbox and d.subject_id = p_subject end;
  get diagnostics v_single = row_count;
  if v_events + v_single > 0 then
    update webhook_states s set next_probe_at = p_now where s.account_id = p_account and s.next_probe_at > p_now;
  end if;
  return v_events + v_single;
end $$;
