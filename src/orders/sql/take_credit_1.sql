-- Takes this price only if the credit suffices; else everything is undone (SQLSTATE PK402). The last deed of an acceptance, so that
-- the balance is locked for as short as can be. Returns nothing of interest: a function that returns a value is called by an
-- assignment, which costs 0.8 µs, and PERFORM 3.4.
create or replace function take_credit_1(p_account bigint, p_price bigint) returns boolean language plpgsql as $$
begin
  update balances b set sms = b.sms - p_price where b.account_id = p_account and b.sms >= p_price;
  if not found then raise exception 'credit does not suffice' using errcode = 'PK402'; end if;
  return true;
end $$;
