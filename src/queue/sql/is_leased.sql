-- Whether a dispatcher is sending any of these messages of an account; nobody begins to before the end of the transaction.
create or replace function is_leased(p_account bigint, p_first bigint, p_last bigint) returns boolean language plpgsql as $$
declare
  v_ranges boolean;
  v_lists boolean;
begin
  select bool_or(x.lease_owner is not null) into v_ranges from (
    -- A range has at most 500 messages.
    select c.lease_owner from chunks c
    where c.account_id = p_account and c.ids is null and c.first_message_id between p_first - 499 and p_last and c.first_message_id + c.count > p_first
    order by c.id for update) x;
  select bool_or(x.lease_owner is not null) into v_lists from (
    select c.lease_owner from chunks c
    where c.account_id = p_account and c.ids is not null and exists (select 1 from unnest(c.ids) i where i between p_first and p_last)
    order by c.id for update) x;
  return coalesce(v_ranges, false) or coalesce(v_lists, false);
end $$;
