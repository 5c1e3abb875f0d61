-- Stores parts of long messages in the given order, each with an id of the sequence of orders. A repeated part of an incomplete message keeps
-- its id. Another text in the same place begins another message, and the one before ends unfinished (reason 100). complete: this was the last
-- missing part, and the caller joins the message.
create or replace function smpp_store_parts(p_users bigint[], p_senders text[], p_recipients text[], p_references integer[],
  p_totals smallint[], p_nos smallint[], p_texts text[], p_origins jsonb[])
returns table (id bigint, group_id bigint, complete boolean) language plpgsql as $$
declare
  v_have integer;
  v_known record;
begin
  -- Locks users in order, so that two processes with parts of the same messages wait here and cannot deadlock.
  perform pg_advisory_xact_lock(7030085 # lock_salt(), hashint8(u.id)) from (select distinct x as id from unnest(p_users) x order by x) u;
  for n in 1 .. cardinality(p_users) loop
    id := nextval('order_ids');
    complete := false;
    select g.id into group_id from smpp_groups g where g.user_id = p_users[n] and g.sender = p_senders[n]
      and g.recipient = p_recipients[n] and g.reference = p_references[n] and g.total = p_totals[n] and g.state = 0;
    if found then
      select p.id, p.text into v_known from smpp_parts p where p.group_id = smpp_store_parts.group_id and p.no = p_nos[n];
      if found and v_known.text = p_texts[n] then
        id := v_known.id;
        return next;
        continue;
      elsif found then
        perform smpp_fail_group(group_id, 100::smallint, null);
        group_id := null;
      end if;
    end if;
    if group_id is null then
      insert into smpp_groups as g (user_id, sender, recipient, reference, total)
        values (p_users[n], p_senders[n], p_recipients[n], p_references[n], p_totals[n]) returning g.id into group_id;
    end if;
    insert into smpp_parts (id, group_id, no, text, origin) values (id, group_id, p_nos[n], p_texts[n], p_origins[n]);
    update smpp_groups g set have = g.have + 1, state = case when g.have + 1 = g.total then 1 else 0 end, changed_at = now()
      where g.id = group_id returning g.have into v_have;
    complete := v_have = p_totals[n];
    return next;
  end loop;
end $$;
