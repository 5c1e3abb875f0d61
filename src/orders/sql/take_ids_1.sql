-- Messages of one order get consecutive ids, so that a page of a report is a range of the primary key and messages
-- need no second index. The lock is of the session, held for microseconds: held until commit it would serialise all
-- acceptances. The handler gives it back when the statement is cancelled in between. Whoever needs an id comes here: a
-- nextval between the two halves would be given twice.
create or replace function take_ids_1(p_orders integer, p_messages integer, out first_order bigint, out first_message bigint)
language plpgsql as $$
declare
  v_done bigint;
  v_free boolean;
  v_lock bigint := 7030002 # lock_salt_1();
begin
  if not pg_try_advisory_lock(v_lock) then perform pg_advisory_lock(v_lock); end if;
  begin
    first_order := nextval('order_ids');
    first_message := nextval('message_ids');
    if p_orders > 1 then v_done := setval('order_ids', first_order + p_orders - 1); end if;
    if p_messages > 1 then v_done := setval('message_ids', first_message + p_messages - 1); end if;
  exception when query_canceled or others then
    perform pg_advisory_unlock(v_lock);
    raise;
  end;
  v_free := pg_advisory_unlock(v_lock);
end $$;
