-- The race between cancel and fire has one winner: whoever moves the order out of 'scheduled'.
create or replace function cancel_order_1(p_account bigint, p_order bigint) returns boolean language plpgsql as $$
declare
  v_first bigint;
  v_total integer;
begin
  update orders o set state = 'cancelled', finished_at = now(), close_after = now()
    where o.id = p_order and o.account_id = p_account and o.state = 'scheduled'
    returning o.first_message_id, o.total into v_first, v_total;
  if not found then return false; end if;
  perform settle(array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(9::smallint))
    from messages m where m.account_id = p_account and m.id between v_first and v_first + v_total - 1 and m.status = 110;
  return true;
end $$;
