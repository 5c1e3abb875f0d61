-- Advances the clock of an account by the leased messages of small and of large orders. For what is left (p_others) it returns whether more
-- may be leased at once, or after wait_ms if the clock forbids it. p_more_large: the dispatcher would take more of large orders.
create or replace function charge_clock(p_clock tid, p_next timestamptz, p_large timestamptz, p_rate integer, p_borrowed_ms integer,
  p_taken integer[], p_others boolean[], p_more_large boolean, out more boolean, out wait_ms integer) language plpgsql as $$
declare
  v_next timestamptz := p_next + make_interval(secs => (p_taken[1] + p_taken[2])::float8 / p_rate);
  -- A fifth of the rate from now on: what large orders had beyond it is not deducted later.
  v_large timestamptz := case when p_taken[2] > 0 then now() + make_interval(secs => 5 * p_taken[2]::float8 / p_rate) else p_large end;
  v_small_at timestamptz := v_next - make_interval(secs => p_borrowed_ms / 1000.0);
  v_large_at timestamptz := least(v_next, v_large);
begin
  if p_taken[1] + p_taken[2] > 0 then
    update dispatch_clocks d set next_at = v_next, large_at = v_large where d.ctid = p_clock;
  end if;
  more := p_others[1] and v_small_at <= now() or p_others[2] and p_more_large and v_large_at <= now();
  if more then return; end if;
  v_large_at := least(case when p_others[1] then v_small_at end, case when p_others[2] and p_more_large then v_large_at end);
  wait_ms := ceil(extract(epoch from v_large_at - now()) * 1000);
end $$;
