-- Adds at most p_ids entries (of all accounts, by id) to sums and checkpoints, one checkpoint every p_every entries of an
-- account. Returns by how many ids it advanced.
create or replace function checkpoint_ledger(p_ids integer, p_every integer) returns bigint language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  v ledger_progress;
  v_from bigint;
  v_to bigint;
  v_step bigint := p_ids;
  v_middle bigint;
begin
  select * into v from ledger_progress for update skip locked;
  if not found then return 0; end if;

  -- Three separate calls: which id is the last, which transactions run, are they over. Between the first two, every transaction
  -- that drew an id gets a transaction number.
  if v.seen_id <= v.safe_id then
    select coalesce(last_value, 0), null, clock_timestamp() into v.seen_id, v.seen_xid, v.seen_at
      from pg_sequence_last_value('ledger_entries_id_seq'::regclass) last_value;
  elsif v.seen_xid is null then
    if v.seen_at < clock_timestamp() - interval '2 seconds' then
      v.seen_xid := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    end if;
  elsif pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= v.seen_xid then
    v.safe_id := v.seen_id;
  end if;

  v_from := v.through_id;
  v_to := least(v.safe_id, v.through_id + p_ids);
  -- Ids may jump by millions of millions when accounts come from other cells; then the next existing id is looked up.
  while v_to < v.safe_id and not exists (select 1 from ledger_entries l where l.id > v.through_id and l.id <= v_to) loop
    v.through_id := v_to;
    v_step := v_step * 8;
    v_to := least(v.safe_id, v.through_id + v_step);
  end loop;
  while v_to - v.through_id > p_ids loop
    v_middle := v.through_id + greatest(p_ids, (v_to - v.through_id) / 2);
    if exists (select 1 from ledger_entries l where l.id > v.through_id and l.id <= v_middle) then v_to := v_middle;
    else v.through_id := v_middle; end if;
  end loop;
  if v_to > v.through_id then
    -- Accounts are looked up once each, not for each of their entries.
    with entries as materialized (select l.account_id, l.id, l.sms from ledger_entries l where l.id > v.through_id and l.id <= v_to),
    accounts as materialized (
      select a.account_id, coalesce(t.through_id, 0) as through_id, coalesce(t.entries, 0) as entries, coalesce(t.sms, 0) as sms
      from (select distinct e.account_id from entries e) a left join ledger_totals t on t.account_id = a.account_id),
    step as (
      select e.account_id, e.id, e.sms, a.sms as before, a.entries + row_number() over (partition by e.account_id order by e.id) as nth
      -- Entries of an account that moved here are already in its sums.
      from entries e join accounts a on a.account_id = e.account_id where e.id > a.through_id),
    -- Sums run up to the next checkpoint and from each to the next: adding entries one by one would cost four times as much.
    stretches as (
      select s.account_id, max(s.id) as id, max(s.nth) as nth, max(s.before) as before, sum(s.sms) as sms
      from step s group by s.account_id, (s.nth - 1) / p_every),
    summed as (
      select s.account_id, s.id, s.nth, s.before + sum(s.sms) over (partition by s.account_id order by s.nth) as sms from stretches s),
    points as (
      insert into ledger_checkpoints (account_id, through_id, sms, at)
      -- The checkpoint has the time of its last entry, the newest except for overlapping transactions.
      select s.account_id, s.id, s.sms, (select l.created_at from ledger_entries l where l.account_id = s.account_id and l.id = s.id)
      from summed s where s.nth % p_every = 0)
    insert into ledger_totals as t (account_id, sms, entries)
      select distinct on (s.account_id) s.account_id, s.sms, s.nth from summed s order by s.account_id, s.nth desc
      on conflict (account_id) do update set sms = excluded.sms, entries = excluded.entries;
  end if;
  update ledger_progress set through_id = greatest(v_to, v.through_id), safe_id = v.safe_id, seen_id = v.seen_id, seen_xid = v.seen_xid, seen_at = v.seen_at;
  return greatest(v_to - v_from, 0);
end $$;
