-- A receipt that is owed to an SMPP user is a row of smpp_outbox. What shared a row stands alone from now on.
insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason, created_at, due_at)
  select b.user_id, o.id, x.message_id, o.id + x.message_id - o.first_message_id, x.status, x.reason, b.created_at, b.created_at
  from smpp_bundles b
  cross join lateral unnest(b.orders, b.messages, b.statuses, b.reasons) with ordinality x(order_id, message_id, status, reason, place)
  join orders o on o.id = x.order_id
  where get_bit(b.told, x.place::integer - 1) = 0;
drop table smpp_bundles;
