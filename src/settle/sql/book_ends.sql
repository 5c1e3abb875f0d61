-- What was delivered is consumed, what was not goes back. p_late: some were closed and delivered after all, so that every balance is asked for.
create or replace function book_ends(p_sums order_ends, p_late boolean) returns void language plpgsql as $$
begin
  insert into ledger_entries (account_id, kind, sms, reserved, order_id)
    select r.account_id, k.kind, k.sms, k.reserved, r.order_id
    from unnest(p_sums.accounts, p_sums.orders, p_sums.consumed, p_sums.released) r(account_id, order_id, consumed, released)
    cross join lateral (values ('consume', 0, -r.consumed), ('release', r.released, -r.released)) k(kind, sms, reserved)
    where k.reserved < 0;
  if p_late then perform 1 from balances b where b.account_id = any (p_sums.accounts) order by b.account_id for update; end if;
  if 0 < any (p_sums.released) then
    update balances b set sms = b.sms + r.released
      from (select u.account_id, sum(u.released) as released from unnest(p_sums.accounts, p_sums.released) u(account_id, released)
        group by u.account_id having sum(u.released) > 0 order by u.account_id) r
      where b.account_id = any (p_sums.accounts) and b.account_id = r.account_id;
  end if;
end $$;
