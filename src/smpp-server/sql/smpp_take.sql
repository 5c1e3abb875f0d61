-- Takes about p_most due deliveries of each user for a process, oldest first, with all that a deliver_sm needs; the sender is null if the
-- order was removed. Looked up one by one: joined as sets, all orders were read for each batch (docs/decisions/0006-plans-without-a-choice.md).
create or replace function smpp_take(p_node bigint, p_users bigint[], p_most integer[])
returns table (id bigint, user_id bigint, smpp_id bigint, status smallint, reason smallint, done_at timestamptz, tries integer,
  sender text, number text, submit_at timestamptz, origin jsonb, inbound_text text)
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_user record;
  v_taken bigint[];
begin
  -- Most users have nothing pending.
  for v_user in
    select w.id, w.most from unnest(p_users, p_most) w(id, most)
    where (select true from smpp_outbox y where y.user_id = w.id and y.node_id is null and y.due_at <= now() limit 1)
  loop
    with taken as (
      update smpp_outbox o set node_id = p_node where o.ctid = any (array(
        select q.ctid from smpp_outbox q where q.user_id = v_user.id and q.node_id is null and q.due_at <= now()
        order by q.due_at limit v_user.most for update skip locked))
      returning o.id)
    select coalesce(array_agg(t.id), '{}') into v_taken from taken t;
    return query
      select o.id, o.user_id, o.smpp_id, o.status, o.reason, o.created_at, o.tries, coalesce(r.sender, g.sender, i.recipient),
        coalesce(m.number::text, m.given, g.recipient, i.number_text), coalesce(r.submit_at, g.created_at, i.received_at),
        coalesce(r.smpp, g.origin), i.text
      from unnest(v_taken) u(id)
      cross join lateral (select y.* from smpp_outbox y where y.id = u.id offset 0) o
      left join lateral (
        select y.account_id, y.sender, y.submit_at, y.smpp from orders y where y.id = o.order_id offset 0) r on true
      left join lateral (
        select y.number, y.given from messages y where y.id = o.message_id and y.account_id = r.account_id offset 0) m on true
      left join lateral (
        select y.sender, y.recipient, y.created_at, p.origin from smpp_parts p join smpp_groups y on y.id = p.group_id
        where o.order_id is null and p.id = o.smpp_id offset 0) g on true
      left join lateral (
        select y.recipient, y.number_text, y.received_at, y.text from smpp_users s join inbound_messages y on y.account_id = s.account_id
        where o.inbound_id is not null and s.id = o.user_id and y.id = o.inbound_id offset 0) i on true
      order by o.id;
  end loop;
end $$;
