-- Leases due chunks of an account: all that fit the budget, at least one, in one statement, because single sends come by the dozen.
-- The first may be written up to p_mark at once; those behind it get their mark when their turn comes, so that after a crash as
-- few messages as possible are unsure. The account's clock (p_next, null for campaigns) is moved on by what was leased.
-- p_since: none that was due before; a claim without it looks at every chunk that was ever ready and is still known to somebody's
-- snapshot (docs/decisions/0020-old-snapshots.md). p_shared: also those that several orders share. leased: null when there is nothing; more: the account has other chunks that are due.
create or replace function lease_chunks_3(p_owner bigint, p_token bigint, p_lane smallint, p_account bigint, p_rate integer,
  p_budget integer, p_next timestamptz, p_clock tid, p_mark integer, p_since timestamptz, p_shared boolean, out leased chunks[], out more boolean) language plpgsql as $$
begin
  with picked as (
    select k.place, k.count, sum(k.count) over (order by k.rank, k.due_at, k.id) - k.count as before,
      count(*) over () as chunks, sum(k.count) over () as total
    from (
      select y.* from unnest(array[0, 1]::smallint[]) r(rank) cross join lateral (
        select x.ctid as place, x.id, x.count, x.rank, x.due_at from chunks x
        where x.lane = p_lane and x.account_id = p_account and x.rank = r.rank and x.lease_owner is null and not x.quarantined
          and x.due_at between p_since and now() and (x.mark = 0 or x.kind = 2) and (p_shared or not x.shared)
        order by x.due_at, x.id limit 64 for update skip locked) y
      order by y.rank, y.due_at, y.id limit 64) k),
  taken as (
    update chunks k set lease_owner = p_owner, lease_token = p_token,
        mark = case
          when k.ids is not null or k.shared or k.count <= small_chunk_1() then k.count
          when k.ctid = (select p.place from picked p where p.before = 0) then least(p_mark, k.count)
          else 0 end,
        marked_at = case when k.kind = 2 then k.marked_at else now() end
      where k.account_id = p_account
        and k.ctid = any (array(select p.place from picked p where p.before = 0 or p.before + p.count <= p_budget))
      returning k as chunk),
  charged as (
    update dispatch_clocks d set next_at = p_next + make_interval(secs => (select sum((t.chunk).count) from taken t)::float8 / p_rate)
      where p_next is not null and d.ctid = p_clock and exists (select 1 from taken))
  select array_agg(t.chunk), (select p.chunks = 64 or (p.chunks > 1 and p.total > p_budget) from picked p limit 1)
    into leased, more from taken t;
end $$;
