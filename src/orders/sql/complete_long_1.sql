-- Notes delivered parts (submissions) of these messages of several parts, and returns those of which every part is.
create or replace function complete_long_1(p_delivered tid[], p_messages bigint[]) returns message_ends language plpgsql as $$
declare
  v_ends message_ends;
begin
  update submissions s set delivered = true where s.ctid = any (p_delivered);
  with complete as (
    select s.message_id, min(s.account_id) as account_id from submissions s
    where s.message_id = any (p_messages) and s.parts > 1
    group by s.message_id having count(distinct s.part) filter (where s.delivered) = min(s.parts)),
  gone as (delete from submissions s where s.message_id = any (array(select c.message_id from complete c)) and s.parts > 1)
  select array_agg(account_id), array_agg(message_id), array_agg(111::smallint), array_agg(0::smallint)
    into v_ends.accounts, v_ends.messages, v_ends.statuses, v_ends.reasons from complete;
  return v_ends;
end $$;
