-- Credit, in the order of arrival: an order that costs more than is left is refused (402), those after it are not.
create or replace function refuse_unpaid(p_accounts bigint[], p_prices bigint[], p_codes integer[]) returns integer[] language plpgsql as $$
declare
  v_left bigint;
  v_one record;
begin
  for v_one in
    select s.account, b.sms from (
      select u.account, sum(u.price) as price from unnest(p_accounts, p_prices, p_codes) u(account, price, code) where u.code = 200 group by 1) s
    left join lateral (
      -- The newest version first: docs/decisions/0020-old-snapshots.md.
      select x.sms from balances x where x.account_id between s.account and s.account order by x.account_id desc limit 1) b on true
    where s.price > coalesce(b.sms, 0)
  loop
    v_left := coalesce(v_one.sms, 0);
    for i in 1 .. cardinality(p_accounts) loop
      continue when p_accounts[i] <> v_one.account or p_codes[i] <> 200;
      if p_prices[i] > v_left then p_codes[i] := 402; else v_left := v_left - p_prices[i]; end if;
    end loop;
  end loop;
  return p_codes;
end $$;
