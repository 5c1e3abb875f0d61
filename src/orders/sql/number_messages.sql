-- Enters messages by their numbers. None of them is there: each ends once. Therefore it is not asked first, as "on conflict" does for each
-- of them at the price of another insert; should one be there after all, those of the batch are entered by asking.
create or replace function number_messages(p_accounts bigint[], p_numbers bigint[], p_messages bigint[]) returns void language plpgsql as $$
begin
  insert into message_numbers (account_id, number, message_id)
    select * from unnest(p_accounts, p_numbers, p_messages) u(account_id, number, message_id) where u.number is not null;
exception when unique_violation then
  insert into message_numbers (account_id, number, message_id)
    select * from unnest(p_accounts, p_numbers, p_messages) u(account_id, number, message_id) where u.number is not null
    on conflict do nothing;
end $$;
