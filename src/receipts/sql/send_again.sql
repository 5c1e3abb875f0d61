-- Sends messages once more of which one copy may be on the air; returns how many. Counted, so that customers see it.
create or replace function send_again(p_messages bigint[]) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  insert into chunks (account_id, lane, rank, first_message_id, count, ids, attempt, due_at, marked_at)
    select m.account_id, u.lane, chunk_rank(count(*)::integer), min(m.id), count(*), array_agg(m.id order by m.id), u.attempt + 1, now(), now()
    from messages m join unsure u on u.message_id = m.id and u.account_id = m.account_id
    where m.id = any (p_messages) group by m.account_id, u.lane, u.attempt;
  update orders o set resent = o.resent + r.count from (
      select m.order_id, m.account_id, count(*) as count from messages m where m.id = any (p_messages) group by 1, 2) r
    where o.id = r.order_id and o.account_id = r.account_id;
  select cardinality(p_messages) into v_count;
  return v_count;
end $$;
