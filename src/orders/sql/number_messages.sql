-- Indexes messages by number. Each message ends once, so none of them should be indexed already, and "on conflict" would cost as much as
-- another insert for each. If one is nevertheless, the batch is inserted with it.
create or replace function number_messages(p_accounts bigint[], p_numbers bigint[], p_messages bigint[]) returns void language plpgsql as $$
begin
  insert into message_numbers (account_id, number, message_id)
    select * from unnest(p_accounts, p_numbers, p_messages) u(account_id, number, message_id) where u.number is not null;
exception when unique_violation then
  insert into message_numbers (account_id, number, message_id)
    select * from unnest(p_accounts, p_numbers, p_messages) u(account_id, number, message_id) where u.number is not null
    on conflict do nothing;
end $$;
