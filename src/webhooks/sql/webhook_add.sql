-- Adds an address to an account and returns its number, or says 'duplicate' when the account has it already, 'full' with p_max of
-- them. One that has no URL (made for its secret, or emptied by the operator) is taken up with what waits for it.
create or replace function webhook_add(p_account bigint, p_url text, p_skipped text[], p_inbound boolean, p_max integer,
  out no integer, out refusal text) language plpgsql as $$
declare
  v_last integer;
  v_has_first boolean;
begin
  -- Two at once: the second sees what the first added.
  update accounts a set stamp = a.stamp + 1 where a.id = p_account;
  select case when bool_or(p_url in (e.url, e.off_url)) then 'duplicate'
        when count(*) filter (where e.url <> '' or e.off_url <> '') >= p_max then 'full' end,
      min(e.no) filter (where e.url = '' and e.off_url = ''), coalesce(max(e.no), 1), coalesce(bool_or(e.of_account is null), false)
    into refusal, no, v_last, v_has_first from webhook_endpoints e where e.owner_id = p_account;
  if refusal is not null then
    no := null;
  elsif no is not null then
    update webhook_endpoints e set url = p_url, skipped = p_skipped, inbound = p_inbound, changed_at = now()
      where e.owner_id = p_account and e.no = webhook_add.no;
  elsif not v_has_first then
    no := 1;
    insert into webhook_endpoints (account_id, url, skipped, inbound) values (p_account, p_url, p_skipped, p_inbound);
  else
    no := v_last + 1;
    insert into webhook_endpoints (account_id, of_account, no, url, skipped, inbound)
      values (-nextval('webhook_keys'), p_account, webhook_add.no, p_url, p_skipped, p_inbound);
  end if;
end $$;
