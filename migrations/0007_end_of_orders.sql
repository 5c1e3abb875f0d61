-- The end of an order's life: closing what no carrier reported, removing what is past retention.

create function close_order_1(p_account bigint, p_order bigint, p_now timestamptz) returns integer language plpgsql as $$
declare
  v_first bigint;
  v_total integer;
  v_closed integer;
begin
  select o.first_message_id, o.total into v_first, v_total from orders o
    where o.id = p_order and o.account_id = p_account and o.state = 'sending' and o.close_after < p_now;
  if not found then return 0; end if;
  if exists (select 1 from chunks c where c.order_id = p_order and c.account_id = p_account and c.lease_owner is not null) then
    return 0;
  end if;
  delete from chunks c where c.order_id = p_order and c.account_id = p_account and c.lease_owner is null;
  select settle_1(array_agg(p_account), array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(m.reason))
    into v_closed
    from (
      -- Submitted and never reported (14), or never handed to anybody (18).
      select m.id, case when exists (select 1 from submissions s where s.message_id = m.id) then 14 else 18 end::smallint as reason
      from messages m
      where m.account_id = p_account and m.id between v_first and v_first + v_total - 1 and m.status = 110) m
    having count(*) > 0;
  return coalesce(v_closed, 0);
end $$;

-- Removes at most p_messages messages of finished orders older than p_before, an order's row last; returns rows removed.
create function remove_orders_1(p_before timestamptz, p_messages integer) returns integer language plpgsql as $$
declare
  o record;
  v_removed integer := 0;
  v_count integer;
begin
  for o in
    select id, account_id, first_message_id, total from orders
    where state in ('finished', 'cancelled', 'failed') and reserved = 0 and submit_at < p_before and finished_at < p_before
    order by submit_at limit 50 for update skip locked
  loop
    delete from messages m where m.account_id = o.account_id and m.id in (
      select x.id from messages x where x.account_id = o.account_id and x.id between o.first_message_id and o.first_message_id + o.total - 1
      limit p_messages - v_removed);
    get diagnostics v_count = row_count;
    v_removed := v_removed + v_count;
    exit when v_removed >= p_messages;
    delete from order_texts t where t.order_id = o.id and t.account_id = o.account_id;
    delete from orders where id = o.id and account_id = o.account_id;
    v_removed := v_removed + 1;
  end loop;
  return v_removed;
end $$;

create index orders_by_end on orders (submit_at) where state in ('finished', 'cancelled', 'failed');
