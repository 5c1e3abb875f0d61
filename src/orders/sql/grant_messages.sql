-- How many messages of this account may be leased now (budget), or when to ask again (wait_ms); both null while another dispatcher
-- decides about it. Transactional (lane 0): the account's clock allows `rate` recipients a second with a burst. next_at: to be moved on
-- by what is leased, in the row at this place, which stays ours until the end of the transaction. Campaigns have no clock.
create or replace function grant_messages(p_lane smallint, p_account bigint, p_rate integer, p_messages integer,
  out budget integer, out wait_ms integer, out next_at timestamptz, out place tid) language plpgsql as $$
begin
  if p_lane <> 0 then
    budget := p_messages;
    return;
  end if;
  -- The newest version first: docs/decisions/0020-old-snapshots.md.
  select d.next_at, d.ctid into next_at, place from dispatch_clocks d where d.account_id between p_account and p_account
    order by d.account_id desc limit 1 for update skip locked;
  if not found then
    next_at := now() - interval '1 hour';
    insert into dispatch_clocks as d values (p_account, next_at) on conflict do nothing returning d.ctid into place;
    -- It exists: another dispatcher holds it.
    if not found then return; end if;
  end if;
  next_at := greatest(next_at, now() - make_interval(secs => burst_1(p_rate)::float8 / p_rate));
  -- A clock left far in the future by a jump of time heals within a burst.
  next_at := least(next_at, now() + interval '30 seconds');
  if next_at > now() then
    wait_ms := ceil(extract(epoch from next_at - now()) * 1000);
  else
    budget := least(p_messages, 1 + floor(extract(epoch from now() - next_at) * p_rate));
  end if;
end $$;
