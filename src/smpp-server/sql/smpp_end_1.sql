-- The customer has answered: these rows of the outbox go, these bundles go whole, and of these bundles so much is told (a bit for each
-- receipt). Done twice it changes nothing, whoever has taken the bundle meanwhile.
create or replace function smpp_end_1(p_alone bigint[], p_whole bigint[], p_bundles bigint[], p_told text[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
begin
  if cardinality(p_alone) > 0 then delete from smpp_outbox o where o.id = any (p_alone); end if;
  if cardinality(p_whole) > 0 then delete from smpp_bundles b where b.id = any (p_whole); end if;
  for i in 1 .. cardinality(p_bundles) loop
    update smpp_bundles b set told = b.told | p_told[i]::varbit where b.id = p_bundles[i];
  end loop;
end $$;
