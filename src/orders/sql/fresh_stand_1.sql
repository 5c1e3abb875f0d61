-- May a dispatcher go by what it remembers of its submits? Not if a row that it relies on was taken away (whoever needs them in
-- submissions does that: ripen_submits_1), if one of the accounts leaves or has left (told where it goes, src/cells/forward.ts), or if
-- receipts that fit nothing have come to another process: one of these may be about a submit that is remembered here.
create or replace function fresh_stand_1(p_owner bigint, p_fresh fresh_columns, p_receipts integer) returns boolean language plpgsql as $$
begin
  -- With a row of the inbox that is gone, what is known would be told of others.
  if p_fresh.is_forgetful or (cardinality(p_fresh.known_messages) > 0 and p_fresh.told <> p_receipts) then return false; end if;
  if exists (select 1 from account_fences f where f.account_id = any (p_fresh.accounts) or f.account_id = any (p_fresh.known_accounts)) then
    return false;
  end if;
  if exists (select 1 from (select * from receipts r order by r.id desc limit 1) x
    where x.id > p_fresh.seen and x.received_at > now() - interval '10 minutes') then return false;
  end if;
  -- Until the end of the flush nobody takes them away.
  return cardinality(p_fresh.relied) = (select count(*) from (
    select 1 from fresh_submits s where s.owner = p_owner and s.no = any (p_fresh.relied) order by s.owner, s.no for update) x);
end $$;
