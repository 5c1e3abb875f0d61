-- Takes about so much of what is due to each user for a process, the oldest first, with all that each deliver_sm needs: rows of the outbox,
-- and behind those that are older whole bundles, at least one. Of a bundle: which of its receipts are told already, and an array for each
-- thing the others need, with their places in the bundle; one whose order is gone is not among them.
create or replace function smpp_take_2(p_node bigint, p_users bigint[], p_most integer[])
returns table (id bigint, user_id bigint, smpp_id bigint, status smallint, reason smallint, done_at timestamptz, tries integer,
  sender text, number text, submit_at timestamptz, origin jsonb, inbound_text text, told text, places bigint[], smpp_ids bigint[],
  statuses smallint[], reasons smallint[], submitted bigint[], numbers json, senders json, origins json)
-- The steps inherit these settings.
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_user record;
  v_alone bigint[];
  v_bundles bigint[];
begin
  -- Most users are owed nothing at most times.
  for v_user in
    select u.id, u.most, b.created_at as oldest from (select * from unnest(p_users, p_most) w(id, most)
      where not exists (select 1 from smpp_users s join account_fences f on f.account_id = s.account_id where s.id = w.id)) u
    left join lateral (
      select y.created_at from smpp_bundles y where y.user_id = u.id and y.node_id is null order by y.id limit 1) b on true
    where b.created_at is not null
      or (select true from smpp_outbox y where y.user_id = u.id and y.node_id is null and y.due_at <= now() limit 1)
  loop
    with taken as (
      update smpp_outbox o set node_id = p_node where o.ctid = any (array(
        select y.ctid from smpp_outbox y where y.user_id = v_user.id and y.node_id is null and y.due_at <= least(v_user.oldest, now())
        order by y.due_at limit v_user.most for update skip locked))
      returning o.id)
    select coalesce(array_agg(t.id), '{}') into v_alone from taken t;
    if cardinality(v_alone) > 0 then
      return query select o.*, null, null::bigint[], null::bigint[], null::smallint[], null::smallint[], null::bigint[], null::json, null::json,
        null::json from smpp_alone_1(v_alone) o;
    end if;
    continue when v_user.oldest is null or cardinality(v_alone) >= v_user.most;
    with picked as (
      select y.place, sum(y.count) over (order by y.id) - y.count as before from (
        select x.ctid as place, x.id, cardinality(x.orders) - bit_count(x.told) as count from smpp_bundles x
        where x.user_id = v_user.id and x.node_id is null order by x.id limit 64 for update skip locked) y),
    taken as (
      update smpp_bundles b set node_id = p_node
        where b.ctid = any (array(select p.place from picked p where p.before < v_user.most - cardinality(v_alone))) returning b.id)
    select array_agg(t.id order by t.id) into v_bundles from taken t;
    return query
      select b.id, b.user_id, null::bigint, null::smallint, null::smallint, b.created_at, 0, null, null, null::timestamptz, null::jsonb,
        null, b.told::text, r.*
      from unnest(v_bundles) x(id)
      cross join lateral (select y.* from smpp_bundles y where y.id = x.id offset 0) b
      cross join lateral smpp_left_1(b.orders, b.messages, b.statuses, b.reasons, b.told) r;
  end loop;
end $$;
