-- Orders that were sent long after they were accepted are closed so much later. Rare, and before any balance is locked; with the
-- orders of p_messages, which settle_1 will change, because orders are locked by id and after messages.
create or replace function put_off_closing_1(p_orders bigint[], p_messages bigint[], p_close timestamptz, p_slack interval) returns void
language plpgsql as $$
declare
  v_late bigint[];
begin
  select array_agg(o.id) into v_late from orders o where o.id = any (p_orders) and o.close_after < p_close - p_slack;
  if v_late is null then return; end if;
  perform 1 from messages m where m.id = any (p_messages) order by m.id for update;
  perform 1 from orders o where o.id = any (v_late || array(select m.order_id from messages m where m.id = any (p_messages)))
    order by o.id for no key update;
  update orders o set close_after = p_close where o.id = any (v_late) and o.close_after < p_close - p_slack;
end $$;
