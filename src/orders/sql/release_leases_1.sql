-- Gives back what a dead or leaving dispatcher held. Three losses of the same chunk without progress: quarantine.
create or replace function release_leases_1(p_owner bigint) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  -- First, and waiting for a claim under way, whose leases would otherwise stay behind.
  delete from dispatchers d where d.id = p_owner;
  perform 1 from chunks k where k.lease_owner = p_owner order by k.id for update;
  update chunks k set lease_owner = null, lease_token = null,
      lost = case when k.kind = 2 then k.lost + 1 else 0 end,
      attempt = case when k.kind = 2 and k.mark > 0 then k.attempt + 1 else k.attempt end,
      quarantined = k.kind = 2 and k.lost >= 2
    where k.lease_owner = p_owner;
  get diagnostics v_count = row_count;
  delete from carrier_links l where l.dispatcher_id = p_owner;
  return v_count;
end $$;
