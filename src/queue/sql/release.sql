-- Releases the leases of a dispatcher that is gone or stops: its chunks are cut at their marks. Messages before a mark without an answer may
-- be on the air and become unsure, to be decided after p_hold_ms; the rest was certainly not sent and waits again. Returns how many chunks it
-- held. The chunk that it was working on (dispatchers.working) may have ended it, and is halved (halve_chunk). p_chunks, p_tokens, p_written: if
-- it is known how far its chunks were written; of any other chunk nothing was.
create or replace function release(p_owner bigint, p_hold_ms integer, p_chunks bigint[], p_tokens bigint[], p_written integer[]) returns integer
language plpgsql set jit = off set enable_seqscan = off as $$
declare
  v_count integer;
  v_working bigint[];
begin
  -- First, because it waits for a running claim, whose leases would otherwise stay.
  delete from dispatchers d where d.id = p_owner returning d.working into v_working;
  perform 1 from chunks c where c.lease_owner = p_owner order by c.id for update;
  get diagnostics v_count = row_count;
  update chunks c set mark = least(c.mark, coalesce((select w.written from unnest(p_chunks, p_tokens, p_written) w(chunk, token, written)
      where w.chunk = c.id and w.token = c.lease_token), 0))
    where c.lease_owner = p_owner and c.mark > 0 and p_chunks is not null;
  insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, decide_at, single)
    select m.id, m.account_id, c.attempt, m.number, c.lane, only_carrier_of(m.number), c.marked_at, now() + make_interval(secs => p_hold_ms / 1000.0),
      m.credits = 1
    from chunks c cross join lateral unanswered(c) u
    cross join lateral (select x.* from messages x where x.id = any (u.ids) and x.account_id = c.account_id and x.number is not null offset 0) m
    where c.lease_owner = p_owner and c.mark > 0 and u.ids is not null
    on conflict (message_id, account_id, attempt) do nothing;
  -- Messages that were put off into chunks of their own after the last written one wait there only.
  update chunks c set count = cardinality(r.ids), ids = case when r.is_list then r.ids end, mark = 0, first_message_id = coalesce(r.ids[1], c.first_message_id)
    from (select x.id, x.ids is not null or e.ids <> '{}' as is_list, array(select u.id
        from unnest(coalesce(x.ids, array(select generate_series(x.first_message_id, x.first_message_id + x.count - 1)))) with ordinality u(id, place)
        where u.place > x.mark and u.id <> all (e.ids) order by u.place) as ids
      from chunks x cross join lateral (select elsewhere(x) as ids) e where x.lease_owner = p_owner) r
    where c.lease_owner = p_owner and c.id = r.id;
  delete from chunks c where c.lease_owner = p_owner and c.count = 0;
  perform halve_chunk(c, false) from chunks c where c.lease_owner = p_owner and c.id = any (v_working);
  update chunks c set lease_owner = null, lease_token = null where c.lease_owner = p_owner;
  delete from carrier_links l where l.dispatcher_id = p_owner;
  return v_count;
end $$;
