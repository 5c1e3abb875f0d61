-- Messages, and 0 in place of those of an account that is on its way to another cell: their receipts are told where it goes.
create or replace function without_fenced(p_messages bigint[]) returns bigint[] language sql stable as $$
  select array_agg(case when exists (
      select 1 from messages m join account_fences f on f.account_id = m.account_id where m.id = u.id) then 0 else u.id end order by u.place)
  from unnest(p_messages) with ordinality u(id, place)
$$;
