-- Receipts of long messages tell about one part each. Delivered parts are noted; the last of them, or the first failure, ends the message.
-- Returns the messages that receipts end, -1 where one ends nothing.
create or replace function match_parts(p_messages bigint[], p_part smallint[], p_parts smallint[], p_statuses smallint[], p_more bigint[])
returns bigint[] language plpgsql as $$
begin
  -- Parts of one message may be reported to two processes at once: who locks the message counts last. All that end here are locked, because
  -- messages are locked in the order of their ids.
  perform 1 from messages m where m.id = any (p_messages || p_more) order by m.id for update;
  insert into part_receipts (message_id, part)
    select u.message, u.part from unnest(p_messages, p_part, p_parts, p_statuses) u(message, part, parts, status)
    where u.parts > 1 and u.status = 111 on conflict do nothing;
  return (
    select array_agg(case when u.parts = 1 or u.status <> 111 then u.message
      when (select count(*) from part_receipts p where p.message_id = u.message) >= u.parts then u.message else -1 end order by u.place)
    from unnest(p_messages, p_parts, p_statuses) with ordinality u(message, parts, status, place));
end $$;
