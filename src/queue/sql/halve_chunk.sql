-- Somewhere in this leased chunk there is a message that ends its dispatcher, or that nobody can send (p_certain): it is looked for by halving the chunk.
-- One of a single message is counted, and set aside at the second time, or at once when it is certain.
create or replace function halve_chunk(p_chunk chunks, p_certain boolean) returns void language plpgsql as $$
declare
  v_half integer := p_chunk.count / 2;
begin
  if v_half > 0 then
    insert into chunks (account_id, lane, kind, rank, first_message_id, count, ids, attempt, due_at, mark, marked_at, lost, carrier_id, written_at)
      values (p_chunk.account_id, p_chunk.lane, p_chunk.kind, p_chunk.rank, coalesce(p_chunk.ids[v_half + 1], p_chunk.first_message_id + v_half),
        p_chunk.count - v_half, p_chunk.ids[v_half + 1:], p_chunk.attempt, p_chunk.due_at, 0, p_chunk.marked_at,
        p_chunk.lost, p_chunk.carrier_id, p_chunk.written_at[v_half + 1:]);
  end if;
  update chunks c set count = case v_half when 0 then 1 else v_half end, ids = c.ids[:greatest(v_half, 1)], written_at = c.written_at[:greatest(v_half, 1)],
      mark = least(c.mark, greatest(v_half, 1)), lost = case when v_half > 0 then c.lost when p_certain then 100 else c.lost + 1 end
    where c.account_id = p_chunk.account_id and c.first_message_id = p_chunk.first_message_id and c.id = p_chunk.id;
end $$;
