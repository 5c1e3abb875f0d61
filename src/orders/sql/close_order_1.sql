-- Closes what no carrier reported in time. Returns how many messages that ended.
create or replace function close_order_1(p_account bigint, p_order bigint, p_now timestamptz) returns integer language plpgsql as $$
declare
  v_first bigint;
  v_total integer;
  v_closed integer;
  v_unsure bigint[];
  v_shared chunks;
begin
  select o.first_message_id, o.total into v_first, v_total from orders o
    where o.id = p_order and o.account_id = p_account and o.state = 'sending' and o.close_after < p_now;
  if not found then return 0; end if;
  if v_total = 1 then
    select c.* into v_shared from chunks c where c.shared and c.order_id <= p_order order by c.order_id desc limit 1;
    if p_order < v_shared.order_id + v_shared.count and v_shared.account_id = p_account then
      select c.* into v_shared from chunks c where c.order_id = v_shared.order_id and c.id = v_shared.id for update;
      if v_shared.lease_owner is not null then return 0; end if;
      if v_shared.id is not null then perform part_chunk_1(v_shared, v_shared.mark, 0); end if;
    end if;
  end if;
  if exists (select 1 from chunks c where c.order_id = p_order and c.account_id = p_account and c.lease_owner is not null) then
    return 0;
  end if;
  perform 1 from chunks c where c.order_id = p_order and c.account_id = p_account and c.lease_owner is null order by c.id for update;
  select array_agg(u.id) into v_unsure from chunks c cross join lateral unnest(c.ids) u(id)
    where c.order_id = p_order and c.account_id = p_account and c.kind = 2;
  delete from chunks c where c.order_id = p_order and c.account_id = p_account and c.lease_owner is null;
  perform ripen_submits_1(null, v_first, v_first + v_total - 1);
  select settle_1(array_agg(p_account), array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(m.reason))
    into v_closed
    from (
      -- Submitted and never reported (14), perhaps submitted (15), or never handed to anybody (18).
      select m.id, case
          when exists (select 1 from submissions s where s.message_id = m.id) then 14
          when m.id = any (v_unsure) then 15
          else 18 end::smallint as reason
      from messages m
      where m.account_id = p_account and m.id between v_first and v_first + v_total - 1 and m.status = 110) m
    having count(*) > 0;
  return coalesce(v_closed, 0);
end $$;
