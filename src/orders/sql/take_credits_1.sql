-- The credit for orders of several accounts; balances in one order, against deadlock.
create or replace function take_credits_1(p_orders new_order[]) returns boolean language plpgsql as $$
declare
  v_price record;
  v_done boolean;
begin
  for v_price in select o.account_id, sum(o.price)::bigint as credits from unnest(p_orders) o group by 1 order by 1 loop
    v_done := take_credit_1(v_price.account_id, v_price.credits);
  end loop;
  return true;
end $$;
