-- The duplicate rule: orders of this account that make an equal one a duplicate. Which orders are equal is in the fingerprint
-- (src/accept/recipients.ts), how long they stay so in src/limits.ts. Such a function is put into the statement that calls it.
-- "Between itself and itself", in order, while acceptances forbid sorting: only the index made for it gives that; of an equal
-- value no order would be asked, and all orders of the account within the window were read where the table was believed to be empty.
create or replace function duplicates(p_account bigint, p_fingerprint bigint, p_since timestamptz)
returns table (id bigint, submit_at timestamptz) language sql stable as $$
  select o.id, o.submit_at from orders o
  where o.account_id = p_account and o.fingerprint between p_fingerprint and p_fingerprint and o.submit_at > p_since
    and o.state <> 'cancelled'
  order by o.fingerprint
$$;
