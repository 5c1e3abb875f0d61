-- Receipts with an unknown id that can only be about one submit in doubt tell how that one ended. "Only" means: the same number,
-- the same carrier, received after the submit was written, no other message of any account that it could be about, and no
-- other receipt that could be about this message. Everything else stays unknown: 568 messages were once called delivered by
-- somebody else's receipt, because their number alone was compared.
-- p_messages: doubts to decide now; what is said of them counts whatever it is. Null: all of them, by the p_newest receipts,
-- after they were sent once more or given up; then only a delivery counts. Returns what they were told, for the caller to settle in the same transaction.
create or replace function adopt_receipts_1(p_messages bigint[], p_newest integer)
returns table (account_id bigint, message_id bigint, status smallint, reason smallint) language plpgsql set jit = off
-- Planned for the numbers at hand, which are then looked for by their hash instead of one by one. Without joins that compare each with
-- each: after a crash all tables are believed empty, and 16,000 doubts were compared with 40,000 receipts for longer than a statement may take.
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = off as $$
#variable_conflict use_column
declare
  v_numbers bigint[];
  v_carriers integer[];
  v_ids text[];
  v_digests bigint[];
  v_accounts bigint[];
  v_messages bigint[];
  v_statuses smallint[];
  v_reasons smallint[];
  -- With other cells a receipt may be about a message of theirs: only what none of them knows can be about one of ours.
  v_alone boolean := not exists (select 1 from cells where id > 0 and removed_at is null) and not exists (select 1 from this_cell);
begin
  -- Only of what some receipt may be about: mostly that is nobody.
  if p_messages is null then
    select array_agg(distinct d.number) into v_numbers from doubts d where d.number = any (array(
      select x.number from (select r.number, r.received_at from receipts r order by r.id desc limit p_newest) x
      where x.received_at > now() - interval '10 minutes'));
  else
    select array_agg(distinct d.number) into v_numbers from doubts d where d.message_id = any (p_messages);
    select array_agg(distinct r.number) into v_numbers from receipts r where r.number = any (v_numbers);
  end if;
  if v_numbers is null then return; end if;
  -- What a receipt is about by its id is seen in submissions alone.
  perform ripen_submits_1(null, 0, 9223372036854775807);

  with candidates as (
    select d.message_id, d.account_id, d.number, d.carrier_id, d.written_at,
      d.single and d.carrier_id is not null and (p_messages is null or d.message_id = any (p_messages))
        and not exists (select 1 from account_fences f where f.account_id = d.account_id) as asked
    from doubts d where d.number = any (v_numbers)
    union all
    -- In doubt and in their pause.
    select m.id, m.account_id, m.number, k.carrier_id, coalesce(u.written_at, k.marked_at), false
    from chunks k cross join lateral unnest(k.ids, k.written_at) u(id, written_at)
    -- One by one: left to choose, the planner read all messages for the few of each chunk.
    cross join lateral (
      select x.id, x.account_id, x.number, x.status from messages x where x.id = u.id and x.account_id = k.account_id offset 0) m
    where k.kind = 2 and m.status = 110 and m.number = any (v_numbers)
    union all
    -- Being written now, or by a process that died: their answer may come after their receipt, or be lost with it.
    select m.id, m.account_id, m.number, null, '-infinity', false
    from (
      select * from chunks x where x.lease_owner is not null and x.mark > 0 and x.kind <> 2
      union all
      select * from chunks x where x.lease_owner is null and x.mark > 0 and x.kind <> 2) k
    cross join lateral (
      select y.id, y.account_id, y.number, y.status from messages y where k.ids is null and y.account_id = k.account_id
        and y.id between k.first_message_id and k.first_message_id + k.mark - 1
      union all
      select y.id, y.account_id, y.number, y.status from messages y where k.ids is not null and y.account_id = k.account_id
        and y.id = any (k.ids)) m
    where m.status = 110 and m.number = any (v_numbers)
      and not exists (select 1 from submissions s where s.message_id = m.id having count(distinct s.part) >= max(s.parts))),
  once as (
    select distinct on (c.message_id, c.account_id) c.* from candidates c order by c.message_id, c.account_id, c.asked desc),
  offered as (
    select distinct on (r.carrier_id, r.smsc_id, r.status) r.* from receipts r
    where r.number = any (v_numbers) and (v_alone or r.offered)
      -- By its id it is about another message, whose answer another process has just stored.
      and (select count(*) from submissions s where s.carrier_id = r.carrier_id and s.smsc_id = r.smsc_id) = 0
    order by r.carrier_id, r.smsc_id, r.status, r.id),
  fits as (
    select o.carrier_id, o.smsc_id, o.status, o.reason, c.account_id, c.message_id, c.asked, count(*) over (partition by o.id) as candidates,
      count(*) over (partition by c.message_id, c.account_id) as receipts
    from offered o join once c on c.number = o.number and c.written_at <= o.received_at
      and (c.carrier_id is null or c.carrier_id = o.carrier_id))
  select array_agg(f.carrier_id), array_agg(f.smsc_id), array_agg(hashtextextended(f.smsc_id, f.carrier_id)),
      array_agg(f.account_id), array_agg(f.message_id), array_agg(f.status), array_agg(f.reason)
    into v_carriers, v_ids, v_digests, v_accounts, v_messages, v_statuses, v_reasons
    from fits f where f.asked and f.candidates = 1 and f.receipts = 1 and (p_messages is not null or f.status = 111);
  if v_ids is null then return; end if;

  -- Not one that was settled before and is told again because its acknowledgement was lost.
  with known as (
    select x.digest from settled_receipts t cross join lateral unnest(t.digests) x(digest)
    where t.at > now() - interval '6 hours' and x.digest = any (v_digests)),
  gone as (
    delete from receipts r using unnest(v_carriers, v_ids, v_digests) u(carrier_id, smsc_id, digest)
    where r.carrier_id = u.carrier_id and r.smsc_id = u.smsc_id and u.digest not in (select k.digest from known k)
    returning u.digest),
  told as (
    select u.* from unnest(v_accounts, v_messages, v_statuses, v_reasons, v_digests) u(account_id, message_id, status, reason, digest)
    where u.digest in (select g.digest from gone g)),
  decided as (
    delete from doubts d using told u where d.message_id = u.message_id and d.account_id = u.account_id)
  select array_agg(account_id), array_agg(message_id), array_agg(status), array_agg(reason), array_agg(digest)
    into v_accounts, v_messages, v_statuses, v_reasons, v_digests from told;
  if v_messages is null then return; end if;
  insert into settled_receipts (digests) values (v_digests);
  return query select * from unnest(v_accounts, v_messages, v_statuses, v_reasons);
end $$;
