-- Messages of a chunk before its mark that no carrier has answered and that are in no other chunk.
create or replace function unanswered(p_chunk chunks, out ids bigint[]) language plpgsql stable as $$
declare
  v_low bigint := coalesce(p_chunk.ids[1], p_chunk.first_message_id);
  v_high bigint := coalesce(p_chunk.ids[p_chunk.mark], p_chunk.first_message_id + p_chunk.mark - 1);
  v_others bigint[] := elsewhere(p_chunk);
begin
  select array_agg(m.id order by m.id) into ids from messages m
    where m.account_id = p_chunk.account_id and m.status = 110 and m.id between v_low and v_high
      and (p_chunk.ids is null or m.id = any (p_chunk.ids[:p_chunk.mark])) and m.id <> all (v_others)
      -- For the whole chunk at once: a lookup by message costs a millisecond each.
      and m.id <> all (array(select s.message_id from submits s where s.message_id between v_low and v_high
        group by 1 having count(distinct s.part) >= max(s.parts)));
end $$;
