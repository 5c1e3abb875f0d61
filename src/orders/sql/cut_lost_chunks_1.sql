-- Rare: a chunk that lost its lease is cut at its mark before it is leased again. What lies before it without an answer becomes an
-- 'unsure' chunk, due after p_hold_ms; what lies beyond was certainly not sent.
create or replace function cut_lost_chunks_1(p_account bigint, p_lane smallint, p_hold_ms integer) returns void language plpgsql as $$
declare
  c chunks;
  v_unsure bigint[];
begin
  -- Asked first: it costs a third of beginning to go through nothing.
  if not exists (
    select 1 from chunks k where k.lane = p_lane and k.account_id = p_account and k.lease_owner is null and k.mark > 0 and k.kind <> 2)
  then return; end if;
  for c in
    select k.* from chunks k
    where k.lane = p_lane and k.account_id = p_account and k.lease_owner is null and k.mark > 0 and k.kind <> 2
    order by k.id limit 16 for update skip locked
  loop
    if c.shared then
      perform part_chunk_1(c, c.mark, p_hold_ms);
      continue;
    end if;
    perform ripen_submits_1(null, coalesce((select min(i) from unnest(c.ids) i), c.first_message_id),
      coalesce((select max(i) from unnest(c.ids) i), c.first_message_id + c.count - 1));
    -- Before the mark: answered ones are done, the others are unsure.
    select array_agg(m.id order by m.id) into v_unsure from messages m
      where m.account_id = p_account and m.status = 110
        and ((c.ids is null and m.id between c.first_message_id and c.first_message_id + c.mark - 1)
          or m.id = any (c.ids[1:c.mark]))
        and not exists (select 1 from submissions s where s.message_id = m.id
          having count(distinct s.part) >= max(s.parts))
        and not exists (select 1 from chunks k where k.order_id = c.order_id and k.account_id = p_account and k.id <> c.id
          and m.id = any (k.ids));
    if v_unsure is not null then
      insert into chunks (account_id, order_id, lane, kind, first_message_id, count, ids, attempt, lost, due_at, marked_at)
        values (p_account, c.order_id, c.lane, 2, v_unsure[1], cardinality(v_unsure), v_unsure, c.attempt, c.lost,
          now() + make_interval(secs => p_hold_ms / 1000.0), c.marked_at);
    end if;
    if c.count <= c.mark then
      delete from chunks k where k.order_id = c.order_id and k.id = c.id and k.account_id = p_account;
    else
      update chunks k set first_message_id = c.first_message_id + c.mark, count = c.count - c.mark, ids = c.ids[c.mark + 1:], mark = 0
        where k.order_id = c.order_id and k.id = c.id and k.account_id = p_account;
    end if;
  end loop;
end $$;
