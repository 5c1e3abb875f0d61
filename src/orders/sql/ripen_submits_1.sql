-- Enters in submissions what dispatchers alone remember (p_owner null = any), of rows that may hold messages between these two: whoever decides
-- about messages by what is in submissions asks for this first. Those dispatchers notice (fresh_stand_1). Receipts that waited for them are
-- found by match_receipts_1.
create or replace function ripen_submits_1(p_owner bigint, p_first bigint, p_last bigint) returns void language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  v_owners bigint[];
  v_nos bigint[];
begin
  select array_agg(x.owner), array_agg(x.no) into v_owners, v_nos from (
    select s.owner, s.no from fresh_submits s
    where s.owner between coalesce(p_owner, 0) and coalesce(p_owner, 9223372036854775807) and s.first_message <= p_last and s.last_message >= p_first
    order by s.owner, s.no for update) x;
  if v_nos is null then return; end if;
  -- A statement of its own, which sees what those have settled who were waited for.
  insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts, submitted_at)
    select u.carrier, u.id, u.account, u.message, 1, 1, s.submitted_at
    from unnest(v_owners, v_nos) x(owner, no) join fresh_submits s on s.owner = x.owner and s.no = x.no
    cross join lateral unnest(s.carriers, s.ids, s.accounts, s.messages) u(carrier, id, account, message)
    -- One by one: docs/decisions/0006-plans-without-a-choice.md.
    cross join lateral (select 1 from messages x where x.id = u.message and x.account_id = u.account and x.status = 110 offset 0) m;
  delete from fresh_submits s using unnest(v_owners, v_nos) x(owner, no) where s.owner = x.owner and s.no = x.no;
end $$;
