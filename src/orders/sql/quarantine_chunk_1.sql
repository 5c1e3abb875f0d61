-- Sets a leased chunk aside that nobody could send. One that several orders share is parted instead: whichever of them cannot be sent is
-- found alone, and the others go their way. What lies before p_mark was written.
create or replace function quarantine_chunk_1(p_chunk bigint, p_token bigint, p_mark integer, p_hold_ms integer) returns void
language plpgsql as $$
declare
  v_chunk chunks;
begin
  select k.* into v_chunk from chunks k where k.id = p_chunk and k.lease_owner is not null and k.lease_token = p_token for update;
  if v_chunk.shared then
    perform part_chunk_1(v_chunk, p_mark, p_hold_ms);
  else
    update chunks k set quarantined = true, lease_owner = null, lease_token = null, mark = p_mark
      where k.id = p_chunk and k.lease_owner is not null and k.lease_token = p_token;
  end if;
end $$;
