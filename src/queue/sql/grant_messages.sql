-- How many messages of small and of large orders of an account may be leased now on the transactional lane. next_at is the time at which the
-- next message is due if all leave evenly; what was not sent within p_burst_ms, or p_burst_least messages, may be saved up. Small orders may
-- borrow p_borrowed_ms ahead; large ones get what is due and wait for what was borrowed, except for a fifth of the rate, which is due at
-- large_at. small is null if another dispatcher holds the clock. The row at this place stays locked until the end of the transaction.
create or replace function grant_messages(p_account bigint, p_rate integer, p_messages integer,
  p_borrowed_ms integer, p_burst_ms integer, p_burst_least integer,
  out small integer, out large integer, out next_at timestamptz, out large_at timestamptz, out place tid) language plpgsql as $$
begin
  -- Finds the newest row version first: docs/decisions/0020-old-snapshots.md.
  select d.next_at, d.large_at, d.ctid into next_at, large_at, place from dispatch_clocks d where d.account_id between p_account and p_account
    order by d.account_id desc limit 1 for update skip locked;
  if not found then
    next_at := now() - interval '1 hour';
    large_at := '-infinity';
    insert into dispatch_clocks as d values (p_account, next_at, large_at) on conflict do nothing returning d.ctid into place;
    -- The row exists and another dispatcher holds it.
    if not found then return; end if;
  end if;
  next_at := greatest(next_at, now() - make_interval(secs => greatest(p_burst_ms / 1000.0, p_burst_least::float8 / p_rate)));
  -- A clock that a jump of time left far in the future recovers within a burst.
  next_at := least(next_at, now() + interval '30 seconds');
  small := least(p_messages, greatest(0, 1 + floor(extract(epoch from now() + make_interval(secs => p_borrowed_ms / 1000.0) - next_at) * p_rate)));
  large := least(p_messages, greatest(case when large_at <= now() then 1 else 0 end, 1 + floor(extract(epoch from now() - next_at) * p_rate)));
end $$;
