-- Of messages that were told to be delivered, those that we had closed for lack of a receipt (14 none came, 15 outcome unknown)
-- stand in line for correct_late_1.
create or replace function note_late_1(p_accounts bigint[], p_messages bigint[], p_statuses smallint[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
begin
  insert into late_deliveries (message_id, account_id)
    select distinct m.id, m.account_id from unnest(p_accounts, p_messages, p_statuses) u(account_id, id, status)
    cross join lateral (
      select x.id, x.account_id from messages x
      where x.id = u.id and x.account_id = u.account_id and x.status = 112 and x.reason in (14, 15) offset 0) m
    where u.status = 111 order by m.id
    on conflict do nothing;
end $$;
