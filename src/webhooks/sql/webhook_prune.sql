-- Removes at most p_most ended deliveries that began before p_before; returns how many. It uses the summary of times, because a
-- planner that may scan the table does so while it believes the table to be small.
create or replace function webhook_prune(p_before timestamptz, p_most integer) returns integer language sql set jit = off set enable_seqscan = off as $$
  with gone as (
    delete from webhook_deliveries d where (d.account_id, d.outbox_id, d.subject_id) in (
      select x.account_id, x.outbox_id, x.subject_id from webhook_deliveries x where x.created_at < p_before and x.state <> 'pending' limit p_most)
    returning 1)
  select count(*)::integer from gone
$$;
