-- Called by 0.1.0 alone, which knows no chunks of several orders: those are parted before it leases anything, and none that comes
-- meanwhile is leased. May be dropped when nobody upgrades from 0.1.0 any more.
create or replace function claim_chunks_1(p_owner bigint, p_lane smallint, p_accounts bigint[], p_marks integer[], p_messages integer,
  p_hold_ms integer)
returns table (chunk_id bigint, token bigint, account_id bigint, order_id bigint, kind smallint, attempt smallint,
  rate integer, sender text, sender_ok boolean, consent_list text, submit_at timestamptz, send_at timestamptz, marked_at timestamptz, age_ms bigint,
  mark integer, recheck boolean, first_message_id bigint, ids bigint[], numbers bigint[], text_nos integer[], text text, encoding smallint, wait_ms integer, more boolean)
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_chunk chunks;
begin
  -- As in claim_chunks_4, before any chunk is locked.
  perform 1 from dispatchers d where d.id = p_owner for key share;
  for v_chunk in
    select k.* from chunks k where k.shared and k.account_id = any (p_accounts) and k.lease_owner is null and k.mark = 0
    order by k.order_id for update skip locked
  loop
    perform part_chunk_1(v_chunk, 0, p_hold_ms);
  end loop;
  return query
    select c.chunk_id, c.token, c.account_id, c.order_id, c.kind, c.attempt, c.rate, c.sender, c.sender_ok, c.consent_list, c.submit_at,
      c.send_at, c.marked_at, c.age_ms, c.mark, c.recheck, c.first_message_id, c.ids, c.numbers, c.text_nos, c.text, c.encoding, c.wait_ms,
      c.more
    from claim_chunks_4(p_owner, p_lane, p_accounts, p_marks, null::integer[], p_messages, p_hold_ms,
      false) c;
end $$;
