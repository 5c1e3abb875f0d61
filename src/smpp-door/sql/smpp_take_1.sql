-- Takes up to so many due rows of each user's outbox for a process, the oldest first, with all that their deliver_sm needs.
create or replace function smpp_take_1(p_node bigint, p_users bigint[], p_most integer[])
returns table (id bigint, user_id bigint, smpp_id bigint, status smallint, reason smallint, done_at timestamptz, tries integer,
  sender text, number text, submit_at timestamptz, origin jsonb, inbound_text text)
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_taken bigint[];
begin
  with due as (
    select x.id from unnest(p_users, p_most) u(user_id, most)
    cross join lateral (select o.id from smpp_outbox o where o.user_id = u.user_id and o.node_id is null and o.due_at <= now()
      order by o.due_at limit u.most for update skip locked) x),
  taken as (update smpp_outbox o set node_id = p_node from due where o.id = due.id returning o.id)
  select array_agg(taken.id) into v_taken from taken;
  if v_taken is null then return; end if;
  return query
    select o.id, o.user_id, o.smpp_id, o.status, o.reason, o.created_at, o.tries, coalesce(r.sender, g.sender, i.recipient),
      coalesce(m.number::text, m.given, g.recipient, i.number_text), coalesce(r.submit_at, g.created_at, i.received_at),
      coalesce(r.smpp, p.origin), i.text
    from smpp_outbox o
    left join orders r on r.id = o.order_id
    left join messages m on m.id = o.message_id and m.account_id = r.account_id
    left join smpp_parts p on o.order_id is null and p.id = o.smpp_id
    left join smpp_groups g on g.id = p.group_id
    left join smpp_users s on o.inbound_id is not null and s.id = o.user_id
    left join inbound_messages i on i.account_id = s.account_id and i.id = o.inbound_id
    where o.id = any (v_taken) order by o.id;
end $$;
