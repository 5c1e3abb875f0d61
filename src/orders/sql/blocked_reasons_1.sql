-- Which of these recipients may not be written to: 0 may, 1 bad number, 2 blacklisted, 3 no consent.
-- With several brand codes, one must say ONAY and none RET.
-- Sorting is forbidden, so that each recipient is looked up by the one index that gives the order asked for. Left to choose,
-- the planner read all records of the account for each recipient when it believed the table to be empty (analysed while
-- the first consents were being stored): an order of 50,000 beside 50,000 consents ran into its limit of 60 s. "Between
-- itself and itself" for the same reason: of an equal number no order is asked.
create or replace function blocked_reasons_1(p_account bigint, p_numbers bigint[], p_list text) returns smallint[]
language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_sort = off as $$
declare
  v_listed boolean := (select true from blacklist_entries b where b.account_id = p_account order by b.number limit 1);
begin
  return (
    with own as materialized (
      select d.code from brands d where d.account_id = p_account and d.active and p_list is not null)
    select array_agg(case
      when u.n = 0 then 1
      when v_listed and u.n = (
        select b.number from blacklist_entries b
        where b.account_id = p_account and b.number between u.n and u.n order by b.number limit 1) then 2
      when p_list is not null and not coalesce((
        select bool_or(l.status = 'ONAY') and not bool_or(l.status = 'RET')
        from own cross join lateral (
          select r.status from consent_records r
          where r.account_id = p_account and r.brand = own.code and r.type = 'MESAJ' and r.recipient_type = p_list
            and r.recipient = '+' || u.n and r.counts
          order by r.consent_date desc, r.id desc limit 1) l), false) then 3
      else 0 end::smallint order by u.ord)
    from unnest(p_numbers) with ordinality u(n, ord));
end $$;
