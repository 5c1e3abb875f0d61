-- Whether an account may still send as this sender: an approved sender ID, or APITEST, which was checked when the order was accepted
-- (src/senders/senders.ts).
create or replace function sender_stands(p_account bigint, p_sender text) returns table (ok boolean) language sql stable as $$
  select p_sender = 'APITEST' or exists (
    select 1 from senders s where s.account_id = p_account and s.name = p_sender and s.state = 'approved')
$$;
