-- The credit for orders of several accounts, balances in one order, against deadlock.
create or replace function take_credits_1(p_accounts bigint[], p_callers integer[], p_parts smallint[]) returns boolean
language plpgsql as $$
declare
  v_price record;
begin
  if p_accounts[1] = all (p_accounts) then return take_credit_1(p_accounts[1], p_parts); end if;
  for v_price in
    select p_accounts[u.caller] as account, array_agg(u.parts) as parts from unnest(p_callers, p_parts) u(caller, parts)
    group by 1 order by 1
  loop
    perform take_credit_1(v_price.account, v_price.parts);
  end loop;
  return true;
end $$;
