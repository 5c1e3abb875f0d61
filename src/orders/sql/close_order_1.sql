-- Closes what no carrier reported in time. Returns how many messages that ended. Not while somebody sends of it; a chunk that others share with
-- the order stays, and is claimed without what has ended.
create or replace function close_order_1(p_account bigint, p_order bigint, p_now timestamptz) returns integer language plpgsql as $$
declare
  v_first bigint;
  v_last bigint;
  v_closed integer;
  v_unsure bigint[];
begin
  select o.first_message_id, o.first_message_id + o.total - 1 into v_first, v_last from orders o
    where o.id = p_order and o.account_id = p_account and o.state = 'sending' and o.close_after < p_now;
  if not found or is_leased(p_account, v_first, v_last) then return 0; end if;
  select array_agg(u.id) into v_unsure from chunks c cross join lateral unnest(c.ids) u(id)
    where c.account_id = p_account and c.ids is not null and c.kind = 2 and u.id between v_first and v_last;
  delete from chunks c where c.account_id = p_account and c.lease_owner is null and c.first_message_id between v_first and v_last
    and coalesce(c.ids[c.count], c.first_message_id + c.count - 1) <= v_last;
  perform ripen_submits_1(null, v_first, v_last);
  select settle_1(array_agg(p_account), array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(m.reason))
    into v_closed
    from (
      -- Submitted and never reported (14), perhaps submitted (15), or never handed to anybody (18).
      select m.id, case
          when exists (select 1 from submissions s where s.message_id = m.id) then 14
          when m.id = any (v_unsure) then 15
          else 18 end::smallint as reason
      from messages m
      where m.account_id = p_account and m.id between v_first and v_last and m.status = 110) m
    having count(*) > 0;
  return coalesce(v_closed, 0);
end $$;
