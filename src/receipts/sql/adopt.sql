-- Matches unmatched receipts to messages in doubt (docs/receipts.md). A receipt matches if it came from the message's carrier, after the
-- message was written, for its number; if no other message to the number was in doubt within three days or is being written; and if no other
-- such receipt came. p_due: messages that are decided now; any other one is matched by a delivery only. The receipt's id is stored as a
-- submit. Nothing is matched where a receipt may be about a message that this database does not know: one of another cell, or one lost with
-- data within three days.
create or replace function adopt(p_due bigint[], out messages bigint[], out statuses smallint[], out reasons smallint[]) language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_mergejoin = off as $$
begin
  if not exists (select 1 from receipts) or exists (select 1 from cells where id > 0 and removed_at is null) or exists (select 1 from this_cell)
      or exists (select 1 from data_home where lost_at > now() - interval '3 days') then return; end if;
  with fits as materialized (
    select r.*, u.message_id, u.number % 10000000000 as short, u.written_at, u.decide_at from unsure u
    cross join lateral (
      select * from receipts x where x.number % 10000000000 = u.number % 10000000000 and not x.mismatch offset 0) r
    where u.single and u.written_at > now() - interval '3 days' and r.carrier_id = u.carrier_id and r.received_at > u.written_at
      and (u.decide_at is null and r.status = 111 or u.message_id = any (p_due))),
  -- Messages in flight without an answer: a receipt may come before the answer. Only messages to the same numbers are looked up, because
  -- a lookup of answers by message costs a millisecond.
  flying as materialized (
    select y.number % 10000000000 as short from chunks c cross join lateral (
      select m.id, m.number from messages m where c.ids is null and m.account_id = c.account_id and m.status = 110
        and m.id between c.first_message_id and c.first_message_id + c.mark - 1
      union all
      select m.id, m.number from messages m where m.account_id = c.account_id and m.status = 110 and m.id = any (c.ids[:c.mark])) y
    where c.lease_owner is not null and c.mark > 0 and y.number % 10000000000 = any (array(select f.short from fits f))
      and (select count(distinct s.part) >= max(s.parts) from submits s where s.message_id = y.id) is not true),
  matched as (
    select distinct on (f.message_id) f.* from fits f
    where (select count(distinct o.message_id) = 1 and (f.status = 111 or count(*) = 1) from unsure o
        where o.number % 10000000000 = f.short and o.written_at > now() - interval '3 days')
      and (select count(distinct (o.carrier_id, o.smsc_id)) = 1 from receipts o where o.number % 10000000000 = f.short and o.received_at > f.written_at)
      and (select true from submits s where s.carrier_id = f.carrier_id and s.smsc_id = f.smsc_id limit 1) is null
      and f.short <> all (array(select y.short from flying y)) order by f.message_id, f.id),
  -- A receipt with this id for another number stays.
  gone as (
    delete from receipts r using matched t
    where r.carrier_id = t.carrier_id and r.smsc_id = t.smsc_id and r.number % 10000000000 = t.short),
  known as (
    insert into submits (day, carrier_id, smsc_id, message_id, part, parts) select submit_day(now()), carrier_id, smsc_id, message_id, 1, 1 from matched)
  select array_agg(t.message_id), array_agg(t.status), array_agg(t.reason) into messages, statuses, reasons from matched t;
end $$;
