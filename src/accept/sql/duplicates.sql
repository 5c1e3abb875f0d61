-- The duplicate rule: orders of this account that make an equal one a duplicate. The fingerprint says which orders are equal
-- (src/accept/recipients.ts), src/limits.ts for how long. "Between" and "order by" leave the planner only the index made for it
-- (docs/decisions/0006-plans-without-a-choice.md).
create or replace function duplicates(p_account bigint, p_fingerprint bigint, p_since timestamptz)
returns table (id bigint, submit_at timestamptz) language sql stable as $$
  select o.id, o.submit_at from orders o
  where o.account_id = p_account and o.fingerprint between p_fingerprint and p_fingerprint and o.submit_at > p_since
    and o.state <> 'cancelled'
  order by o.fingerprint
$$;
