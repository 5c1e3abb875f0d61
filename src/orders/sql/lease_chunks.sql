-- Leases due chunks of an account: all that fit the budget, at least one, together, because single sends come by the dozen.
-- The first may be written up to p_mark at once; those behind it get their mark when their turn comes, so that after a crash as
-- few messages as possible are unsure. The account's clock (p_next, null for campaigns) is moved on by what was leased.
-- p_since: none that was due before; a claim without it looks at every chunk that was ever ready and is still known to somebody's
-- snapshot (docs/decisions/0020-old-snapshots.md). Small statements: one that picks, counts, leases and charges cost twice
-- as much as these together, most of it for being begun. leased: null when there is nothing; more: the account has other chunks that are due.
create or replace function lease_chunks(p_owner bigint, p_token bigint, p_lane smallint, p_account bigint, p_rate integer,
  p_budget integer, p_next timestamptz, p_clock tid, p_mark integer, p_since timestamptz, out leased chunks[], out more boolean) language plpgsql as $$
declare
  v_places tid[];
  v_counts integer[];
  r_places tid[];
  r_counts integer[];
  -- No more than can be leased, and one to know that there are others: to lock a row is to write it.
  v_most integer := least(64, p_budget + 1);
  v_count integer;
  v_taken integer := 0;
  v_messages integer := 0;
begin
  for v_rank in 0..1 loop
    select array_agg(y.place), array_agg(y.count) into r_places, r_counts from (
      select x.ctid as place, x.count from chunks x
      where x.lane = p_lane and x.account_id = p_account and x.rank = v_rank::smallint and x.lease_owner is null and x.lost < 2
        and x.due_at between p_since and now()
      order by x.due_at, x.id limit v_most for update skip locked) y;
    v_places := v_places || r_places;
    v_counts := v_counts || r_counts;
    exit when cardinality(v_places) >= v_most;
  end loop;
  if v_places is null then return; end if;

  foreach v_count in array v_counts loop
    exit when v_taken > 0 and v_messages + v_count > p_budget;
    v_taken := v_taken + 1;
    v_messages := v_messages + v_count;
  end loop;
  more := cardinality(v_places) >= v_most or v_taken < cardinality(v_places);

  with taken as (
    update chunks k set lease_owner = p_owner, lease_token = p_token,
        mark = case
          -- In doubt: marked by who has decided that it is sent once more, not by who may die before that.
          when k.kind = 2 then k.mark
          when k.rank = 0 or k.count <= small_chunk_1() then k.count
          when k.ctid = v_places[1] then least(p_mark, k.count)
          else 0 end,
        marked_at = case when k.kind = 2 then k.marked_at else now() end
      -- By their places alone: with the account beside them an index of it is believed to be quicker, which leads to every version.
      where k.ctid = any (v_places[:v_taken])
      returning k as chunk)
  select array_agg(t.chunk) into leased from taken t;
  if p_next is not null then
    update dispatch_clocks d set next_at = p_next + make_interval(secs => v_messages::float8 / p_rate) where d.ctid = p_clock;
  end if;
end $$;
