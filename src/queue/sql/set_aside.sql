-- A leased chunk that cannot be sent, whoever tries, goes back in two halves, until its bad message stands alone and is set aside. Nothing of it was written.
create or replace function set_aside(p_chunk bigint, p_token bigint) returns void language plpgsql as $$
begin
  perform halve_chunk(c, true) from chunks c where c.id = p_chunk and c.lease_owner is not null and c.lease_token = p_token;
  update chunks c set lease_owner = null, lease_token = null, mark = 0
    where c.id = p_chunk and c.lease_owner is not null and c.lease_token = p_token;
end $$;
