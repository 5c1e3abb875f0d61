-- Whether each recipient is blocked: 0 no, 1 bad number, 2 blacklisted, 3 no consent. p_owners: the place of its order in p_accounts and
-- p_lists; null: the first for all. With several brand codes one must say ONAY and none RET.
-- "Between", "order by" and no sorting leave the planner only the right index (docs/decisions/0006-plans-without-a-choice.md).
create or replace function blocked(p_accounts bigint[], p_lists text[], p_owners integer[], p_numbers bigint[]) returns smallint[]
language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_sort = off as $$
declare
  v_listed boolean[] := array(
    select coalesce((select true from blacklist_entries b where b.account_id = a order by b.number limit 1), false) from unnest(p_accounts) a);
begin
  return (
    select array_agg(case
      when r.number = 0 then 1
      when v_listed[r.o] and (select true from blacklist_entries b
        where b.account_id = p_accounts[r.o] and b.number between r.number and r.number order by b.number limit 1) then 2
      when p_lists[r.o] is not null and not coalesce((
        select bool_or(c.status = 'ONAY') and not bool_or(c.status = 'RET')
        from brands d cross join lateral (
          select x.status from consent_records x
          where x.account_id = d.account_id and x.brand = d.code and x.type = 'MESAJ' and x.recipient_type = p_lists[r.o]
            and x.recipient = '+' || r.number and x.counts
          order by x.consent_date desc, x.id desc limit 1) c
        where d.account_id = p_accounts[r.o] and d.active), false) then 3
      else 0 end::smallint order by r.place)
    from (select coalesce(u.owner, 1) as o, u.number, u.place from unnest(p_owners, p_numbers) with ordinality u(owner, number, place)) r);
end $$;
