-- Gives back what a dead or leaving dispatcher held. Being held when a dispatcher dies is nobody's fault; to be the very chunk
-- that it was working on (dispatchers.working) is evidence, and the second time the chunk is quarantined (one that
-- several orders share is parted when it is claimed next, so that they are tried one by one).
create or replace function release_leases_1(p_owner bigint) returns integer language plpgsql as $$
declare
  v_count integer;
  v_working bigint[];
begin
  -- First, and waiting for a claim under way, whose leases would otherwise stay behind.
  delete from dispatchers d where d.id = p_owner returning d.working into v_working;
  perform 1 from chunks k where k.lease_owner = p_owner order by k.id for update;
  update chunks k set lease_owner = null, lease_token = null,
      lost = k.lost + b.blamed, quarantined = not k.shared and k.lost + b.blamed >= 2,
      attempt = case when k.kind = 2 and k.mark > 0 then k.attempt + 1 else k.attempt end
    from (select c.order_id, c.id, c.account_id, case when c.id = any (v_working) then 1 else 0 end as blamed
      from chunks c where c.lease_owner = p_owner) b
    where k.order_id = b.order_id and k.id = b.id and k.account_id = b.account_id;
  get diagnostics v_count = row_count;
  -- What it alone remembered is for everybody to find.
  perform ripen_submits_1(p_owner, 0, 9223372036854775807);
  delete from carrier_links l where l.dispatcher_id = p_owner;
  return v_count;
end $$;
