-- Takes the credit for these orders, account by account in one order everywhere. The last step, so that balances are locked for as short
-- as can be.
create or replace function pay_orders(p_accounts bigint[], p_prices bigint[], p_codes integer[]) returns boolean language plpgsql as $$
declare
  v_one record;
  v_done boolean;
begin
  for v_one in select u.account, sum(u.price)::bigint as price from unnest(p_accounts, p_prices, p_codes) u(account, price, code)
    where u.code = 200 group by 1 order by 1
  loop
    v_done := take_credit(v_one.account, v_one.price);
  end loop;
  return true;
end $$;
