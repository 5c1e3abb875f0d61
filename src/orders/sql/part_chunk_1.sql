-- A chunk that several orders share becomes one for each of them: whatever is rare (a lost lease, a chunk that cannot be sent, an order
-- that is closed) knows chunks of one order alone. The caller has locked it. What lies before p_mark without an
-- answer is unsure, due after p_hold_ms, as in cut_lost_chunks_1; what lies beyond was certainly not sent.
create or replace function part_chunk_1(p_chunk chunks, p_mark integer, p_hold_ms integer) returns void language plpgsql as $$
begin
  perform ripen_submits_1(null, p_chunk.first_message_id, p_chunk.first_message_id + p_chunk.count - 1);
  insert into chunks (account_id, order_id, lane, kind, rank, first_message_id, count, ids, attempt, lost, due_at, marked_at)
    select m.account_id, m.order_id, p_chunk.lane, case when w.written then 2 else 0 end, p_chunk.rank, m.id, 1,
      case when w.written then array[m.id] end, p_chunk.attempt, p_chunk.lost,
      case when w.written then now() + make_interval(secs => p_hold_ms / 1000.0) else p_chunk.due_at end,
      case when w.written then p_chunk.marked_at end
    from messages m cross join lateral (select m.id < p_chunk.first_message_id + p_mark) w(written)
    where m.account_id = p_chunk.account_id and m.status = 110
      and m.id between p_chunk.first_message_id and p_chunk.first_message_id + p_chunk.count - 1
      and not (w.written and (
        exists (select 1 from submissions s where s.message_id = m.id having count(distinct s.part) >= max(s.parts))
        or exists (select 1 from chunks k where k.order_id = m.order_id and k.account_id = m.account_id and m.id = any (k.ids))));
  delete from chunks k where k.order_id = p_chunk.order_id and k.id = p_chunk.id and k.account_id = p_chunk.account_id;
end $$;
