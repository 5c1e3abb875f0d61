-- What the deliver_sm of these rows of the outbox need. Looked up one by one: see smpp_owe_1.
create or replace function smpp_alone_1(p_ids bigint[])
returns table (id bigint, user_id bigint, smpp_id bigint, status smallint, reason smallint, done_at timestamptz, tries integer,
  sender text, number text, submit_at timestamptz, origin jsonb, inbound_text text) language plpgsql as $$
begin
  return query
    select o.id, o.user_id, o.smpp_id, o.status, o.reason, o.created_at, o.tries, coalesce(r.sender, g.sender, i.recipient),
      coalesce(m.number::text, m.given, g.recipient, i.number_text), coalesce(r.submit_at, g.created_at, i.received_at),
      coalesce(r.smpp, g.origin), i.text
    from unnest(p_ids) u(id)
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
end $$;
