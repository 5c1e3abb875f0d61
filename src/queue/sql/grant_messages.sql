-- How many messages of an account may be leased now on the transactional lane: of small orders (small) and of large ones (large). One
-- clock: next_at is the time at which the next message would be due if all left evenly; what was not sent within p_burst_ms, or
-- p_burst_least messages, may have been saved up. Two tolerances: small orders may borrow p_borrowed_ms ahead; large ones get what is due,
-- and wait for what was borrowed, but for a fifth of the rate, which is due at large_at. small null: another dispatcher decides. The row
-- at this place stays ours until the end of the transaction.
create or replace function grant_messages(p_account bigint, p_rate integer, p_messages integer,
  p_borrowed_ms integer, p_burst_ms integer, p_burst_least integer,
  out small integer, out large integer, out next_at timestamptz, out large_at timestamptz, out place tid) language plpgsql as $$
begin
  -- The newest version first: docs/decisions/0020-old-snapshots.md.
  select d.next_at, d.large_at, d.ctid into next_at, large_at, place from dispatch_clocks d where d.account_id between p_account and p_account
    order by d.account_id desc limit 1 for update skip locked;
  if not found then
    next_at := now() - interval '1 hour';
    large_at := '-infinity';
    insert into dispatch_clocks as d values (p_account, next_at, large_at) on conflict do nothing returning d.ctid into place;
    -- It exists: another dispatcher holds it.
    if not found then return; end if;
  end if;
  next_at := greatest(next_at, now() - make_interval(secs => greatest(p_burst_ms / 1000.0, p_burst_least::float8 / p_rate)));
  -- A clock left far in the future by a jump of time heals within a burst.
  next_at := least(next_at, now() + interval '30 seconds');
  small := least(p_messages, greatest(0, 1 + floor(extract(epoch from now() + make_interval(secs => p_borrowed_ms / 1000.0) - next_at) * p_rate)));
  large := least(p_messages, greatest(case when large_at <= now() then 1 else 0 end, 1 + floor(extract(epoch from now() - next_at) * p_rate)));
end $$;
