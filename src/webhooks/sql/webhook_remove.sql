-- Takes an address away with everything that waits for it and its log. Its state goes first, and with it the lease: a worker
-- that has it in hand records nothing any more. In the order in which webhook_record locks.
create or replace function webhook_remove(p_account bigint, p_no integer) returns boolean language plpgsql as $$
declare
  v_key bigint;
begin
  update accounts a set stamp = a.stamp + 1 where a.id = p_account;
  select e.account_id into v_key from webhook_endpoints e where e.owner_id = p_account and e.no = p_no;
  if v_key is null then return false; end if;
  delete from webhook_states s where s.account_id = v_key;
  delete from webhook_outbox o where o.account_id = v_key;
  delete from webhook_deliveries d where d.account_id = v_key;
  delete from webhook_endpoints e where e.account_id = v_key;
  return true;
end $$;
