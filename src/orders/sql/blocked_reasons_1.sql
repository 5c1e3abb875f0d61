-- Which of these recipients may not be written to: 0 may, 1 bad number, 2 blacklisted, 3 no consent.
-- With several brand codes, one must say ONAY and none RET.
create or replace function blocked_reasons_1(p_account bigint, p_numbers bigint[], p_list text) returns smallint[]
language plpgsql stable as $$
begin
  return (select array_agg(case
    when u.n = 0 then 1
    when b.number is not null then 2
    when p_list is not null and not coalesce(c.allowed, false) then 3
    else 0 end::smallint order by u.ord)
  from unnest(p_numbers) with ordinality u(n, ord)
  left join blacklist_entries b on b.account_id = p_account and b.number = u.n
  left join lateral (
    select bool_or(l.status = 'ONAY') and not bool_or(l.status = 'RET') as allowed
    from brands d
    cross join lateral (
      select r.status from consent_records r
      where r.account_id = p_account and r.brand = d.code and r.type = 'MESAJ' and r.recipient_type = p_list
        and r.recipient = '+' || u.n and r.counts
      order by r.consent_date desc, r.id desc limit 1) l
    where d.account_id = p_account and d.active and p_list is not null) c on true);
end $$;
