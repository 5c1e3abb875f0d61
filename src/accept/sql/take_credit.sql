-- Takes this price if the credit suffices, otherwise fails (SQLSTATE PK402). The last step of acceptance, so that the balance is locked as
-- briefly as possible. Returns a value so that it can be called by an assignment: 0.8 µs; PERFORM takes 3.4.
create or replace function take_credit(p_account bigint, p_price bigint) returns boolean language plpgsql as $$
declare
  v_place tid;
begin
  -- Finds the newest row version first (docs/decisions/0020-old-snapshots.md). Two statements, because only the second sees what was
  -- committed while the first waited for the lock.
  select b.ctid into v_place from balances b where b.account_id between p_account and p_account
    order by b.account_id desc limit 1 for no key update;
  update balances b set sms = b.sms - p_price where b.ctid = v_place and b.sms >= p_price;
  if not found then raise exception 'credit does not suffice' using errcode = 'PK402'; end if;
  return true;
end $$;
