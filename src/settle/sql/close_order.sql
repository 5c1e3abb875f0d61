-- Closes an order p_after after its newest submit: messages without a receipt end. An order with a newer submit is due later, and an order
-- that a dispatcher is sending is skipped. Returns how many messages ended.
create or replace function close_order(p_account bigint, p_order bigint, p_now timestamptz, p_after interval) returns integer language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  v_first bigint;
  v_last bigint;
  v_leased boolean;
  v_closed integer;
  v_newest timestamptz;
begin
  select o.first_message_id, o.first_message_id + o.total - 1 into v_first, v_last from orders o
    where o.id = p_order and o.account_id = p_account and o.state = 'sending' and o.close_after < p_now;
  if not found then return 0; end if;
  -- The lock keeps dispatchers from claiming these chunks before the transaction ends. A range has at most 500 messages.
  select bool_or(x.lease_owner is not null) into v_leased from (
    select * from (
      select c.lease_owner from chunks c where c.account_id = p_account and c.ids is null
        and c.first_message_id between v_first - 499 and v_last and c.first_message_id + c.count > v_first order by c.id for update) ranges
    union all
    select * from (
      select c.lease_owner from chunks c where c.account_id = p_account and c.ids is not null
        and exists (select 1 from unnest(c.ids) i where i between v_first and v_last) order by c.id for update) lists) x;
  if v_leased then return 0; end if;
  -- One range scan: a lookup per message in the index by message costs a millisecond each.
  select max(s.submitted_at) into v_newest from submits s where s.message_id between v_first and v_last;
  if v_newest + p_after > p_now then
    update orders o set close_after = v_newest + p_after where o.id = p_order and o.account_id = p_account and o.state = 'sending';
    return 0;
  end if;
  -- A chunk that also holds messages of other orders stays; a claim leaves out its ended messages.
  delete from chunks c where c.account_id = p_account and c.lease_owner is null and c.first_message_id between v_first and v_last
    and coalesce(c.ids[c.count], c.first_message_id + c.count - 1) <= v_last;
  select settle(array_agg(m.id order by m.id), array_agg(112::smallint order by m.id), array_agg(m.reason order by m.id)) into v_closed
    from (
      -- Submitted without a receipt (14), perhaps submitted (15), or never submitted (18).
      select m.id, case when s.message_id is not null then 14 when u.message_id is not null then 15 else 18 end::smallint as reason
      from messages m
      left join (select distinct x.message_id from submits x where x.message_id between v_first and v_last) s on s.message_id = m.id
      left join (select distinct x.message_id from unsure x where x.message_id between v_first and v_last) u on u.message_id = m.id
      where m.account_id = p_account and m.id between v_first and v_last and m.status = 110) m;
  return coalesce(v_closed, 0);
end $$;
