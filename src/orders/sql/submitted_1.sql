-- Messages between these two that a carrier has and has not reported, part by part: entered, or remembered by their dispatcher alone.
create or replace function submitted_1(p_first bigint, p_last bigint)
returns table (carrier_id integer, smsc_id text, account_id bigint, message_id bigint, part smallint, parts smallint, submitted_at timestamptz)
language sql stable as $$
  select s.carrier_id, s.smsc_id, s.account_id, s.message_id, s.part, s.parts, s.submitted_at
  from submissions s where s.message_id >= p_first and s.message_id <= p_last
  union all
  select u.carrier, u.id, u.account, u.message, 1::smallint, 1::smallint, f.submitted_at
  from fresh_submits f cross join lateral unnest(f.carriers, f.ids, f.accounts, f.messages) u(carrier, id, account, message)
  -- One by one: docs/decisions/0006-plans-without-a-choice.md.
  cross join lateral (select 1 from messages x where x.id = u.message and x.account_id = u.account and x.status = 110 offset 0) m
  where f.first_message <= p_last and f.last_message >= p_first and u.message >= p_first and u.message <= p_last
$$;
