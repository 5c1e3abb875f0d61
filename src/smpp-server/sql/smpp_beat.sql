-- Stores the heartbeat of a process with the counts of its binds. Returns for each bind whether it must end (its user is disabled, removed or
-- suspended, or somebody ended it), the limits of its user, and how many binds that user has in all. Binds of this process that are not named
-- are removed. Processes that are silent for too long are removed with their binds, and their deliveries are free again. No row at all: this
-- process was removed and must join again.
create or replace function smpp_beat(p_node bigint, p_silence integer, p_binds bigint[], p_submits bigint[], p_refusals bigint[],
  p_receipts bigint[], p_unanswered integer[], p_errors text[])
returns table (bind_id bigint, must_go boolean, rate integer, window_max integer, receipt_window integer, binds_of_user integer)
language plpgsql as $$
begin
  update smpp_nodes n set beat_at = now() where n.id = p_node;
  if not found then return; end if;
  delete from smpp_nodes n where n.id in (
    select x.id from smpp_nodes x where x.beat_at < now() - p_silence * interval '1 second' order by x.id for update skip locked);
  delete from smpp_binds b where b.node_id = p_node and not b.id = any (p_binds) and b.bound_at < now() - interval '5 seconds';
  delete from smpp_binds b where not exists (select 1 from smpp_nodes n where n.id = b.node_id);
  update smpp_outbox o set node_id = null
    where o.node_id is not null and not exists (select 1 from smpp_nodes n where n.id = o.node_id);
  update smpp_binds b set submits = u.submits, refusals = u.refusals, receipts = u.receipts, unanswered = u.unanswered,
      -- The last heartbeat was a second ago.
      submits_per_second = u.submits - b.submits, receipts_per_second = u.receipts - b.receipts,
      last_error = coalesce(u.error, b.last_error), last_error_at = case when u.error is null then b.last_error_at else now() end
    from unnest(p_binds, p_submits, p_refusals, p_receipts, p_unanswered, p_errors) u(id, submits, refusals, receipts, unanswered, error)
    where b.id = u.id and (b.submits, b.refusals, b.receipts, b.submits_per_second + b.receipts_per_second, b.unanswered)
      is distinct from (u.submits, u.refusals, u.receipts, 0, u.unanswered);
  update smpp_users s set last_error = e.error, last_error_at = now()
    from (select b.user_id, max(u.error) as error from unnest(p_binds, p_errors) u(id, error) join smpp_binds b on b.id = u.id
      where u.error is not null group by b.user_id) e
    where s.id = e.user_id;
  return query
    select 0::bigint, false, null::integer, 0, 0, 0
    union all
    select p.id, coalesce(b.kicked or not s.enabled or a.status <> 'active' or not a.api_enabled, true), s.rate, s.window_max,
      s.receipt_window, (select count(*)::integer from smpp_binds x where x.user_id = b.user_id)
    from unnest(p_binds) p(id)
    left join smpp_binds b on b.id = p.id left join smpp_users s on s.id = b.user_id left join accounts a on a.id = s.account_id;
end $$;
