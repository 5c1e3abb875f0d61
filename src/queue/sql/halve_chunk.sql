-- Looks for a message that ends its dispatcher, or that cannot be sent (p_certain), by halving this leased chunk. A chunk of a single message
-- is counted and quarantined the second time, or at once if p_certain. Nothing of it was written since its mark; the lease ends.
create or replace function halve_chunk(p_chunk chunks, p_certain boolean) returns void language plpgsql as $$
declare
  v_half integer := p_chunk.count / 2;
begin
  if v_half > 0 then
    insert into chunks (account_id, lane, rank, first_message_id, count, ids, attempt, due_at, marked_at, lost)
      values (p_chunk.account_id, p_chunk.lane, p_chunk.rank, coalesce(p_chunk.ids[v_half + 1], p_chunk.first_message_id + v_half),
        p_chunk.count - v_half, p_chunk.ids[v_half + 1:], p_chunk.attempt, p_chunk.due_at, p_chunk.marked_at, p_chunk.lost);
  end if;
  update chunks c set count = case v_half when 0 then 1 else v_half end, ids = c.ids[:greatest(v_half, 1)],
      lease_owner = null, lease_token = null, mark = 0, lost = case when v_half > 0 then c.lost when p_certain then 100 else c.lost + 1 end
    where c.account_id = p_chunk.account_id and c.first_message_id = p_chunk.first_message_id and c.id = p_chunk.id;
end $$;
