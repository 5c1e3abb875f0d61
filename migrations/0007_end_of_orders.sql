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

-- Orders past retention disappear at once, with their texts; their messages follow in small steps.
create table order_removals (
  account_id bigint not null,
  first_message_id bigint not null,
  total integer not null,
  primary key (first_message_id, account_id)
);

-- One step: takes in ended orders older than p_before, deletes at most p_messages messages; returns rows removed.
create function remove_orders_1(p_before timestamptz, p_messages integer) returns integer language plpgsql
set jit = off set enable_seqscan = off as $$
declare
  r record;
  v_removed integer := 0;
  v_count integer;
begin
  with old as (
    select id, account_id from orders
    where state in ('finished', 'cancelled', 'failed') and reserved = 0 and submit_at < p_before and finished_at < p_before
    order by submit_at limit 50 for update skip locked),
  texts as (
    delete from more_texts t where t.order_id = any (array(select id from old)) and t.account_id = any (array(select account_id from old))),
  gone as (
    delete from orders x where x.id = any (array(select id from old)) and x.account_id = any (array(select account_id from old))
    returning x.account_id, x.first_message_id, x.total)
  insert into order_removals select account_id, first_message_id, total from gone;
  get diagnostics v_removed = row_count;
  for r in select * from order_removals order by first_message_id limit 50 for update skip locked loop
    exit when v_removed >= p_messages;
    with gone as (
      delete from messages m where m.account_id = r.account_id and m.id = any (array(
        select x.id from messages x where x.account_id = r.account_id and x.id between r.first_message_id and r.first_message_id + r.total - 1
        limit p_messages - v_removed))
      returning m.account_id, m.number, m.id),
    unnumbered as (
      delete from message_numbers n using gone g where n.account_id = g.account_id and n.number = g.number and n.message_id = g.id)
    select count(*) into v_count from gone;
    v_removed := v_removed + v_count;
    if v_removed < p_messages then
      delete from order_removals x where x.first_message_id = r.first_message_id and x.account_id = r.account_id;
    end if;
  end loop;
  return v_removed;
end $$;

create index orders_by_end on orders (submit_at) where state in ('finished', 'cancelled', 'failed');

-- Which messages went to a number. An index on messages would say the same, but doubles the time an order of 50,000
-- random numbers takes to accept (136 → 267 ms); this table is filled behind, order by order, once an order has ended.
create table message_numbers (
  account_id bigint not null,
  number bigint not null,
  message_id bigint not null,
  primary key (account_id, number, message_id)
);
create index orders_unnumbered on orders (finished_at) where not numbered and state in ('finished', 'cancelled', 'failed');

-- Takes in at most p_messages messages of at most p_orders ended orders, large ones piece by piece: a statement of 200 ms
-- would keep one-time codes from a core. Returns how many messages were looked at.
create function number_orders_1(p_orders integer, p_messages integer) returns integer language plpgsql
set jit = off set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  v_ids bigint[];
  v_accounts bigint[];
  v_firsts bigint[];
  v_counts integer[];
begin
  select array_agg(o.id), array_agg(o.account_id), array_agg(o.first), array_agg(least(o.rest, p_messages - o.before))
    into v_ids, v_accounts, v_firsts, v_counts
    from (
      select y.id, y.account_id, y.first, y.rest, sum(y.rest) over (order by y.finished_at, y.id) - y.rest as before from (
        select id, account_id, first_message_id + numbered_count as first, total - numbered_count as rest, finished_at from orders
        where not numbered and state in ('finished', 'cancelled', 'failed')
        order by finished_at limit p_orders for update skip locked) y) o
    where o.before < p_messages;
  if v_ids is null then return 0; end if;
  insert into message_numbers (account_id, number, message_id)
    select m.account_id, m.number, m.id
    from unnest(v_accounts, v_firsts, v_counts) u(account_id, first, count)
    cross join lateral (
      select x.account_id, x.number, x.id from messages x
      where x.account_id = u.account_id and x.id between u.first and u.first + u.count - 1 and x.number is not null offset 0) m
    order by m.account_id, m.number
    on conflict do nothing;
  update orders o set numbered_count = o.numbered_count + u.count, numbered = o.numbered_count + u.count >= o.total
    from unnest(v_ids, v_accounts, v_counts) u(id, account_id, count)
    where o.id = any (v_ids) and o.id = u.id and o.account_id = u.account_id;
  return (select sum(c) from unnest(v_counts) c);
end $$;

-- Ids of an account's messages to one number, newest first: those of ended orders by the table above, those of open ones by
-- looking through the open orders (three small partial indexes).
create function messages_of_number_1(p_account bigint, p_number bigint, p_before bigint, p_most integer) returns setof bigint
language plpgsql stable set jit = off set enable_seqscan = off as $$
begin
  return query
    select x.id from (
      (select n.message_id as id from message_numbers n
        where n.account_id = p_account and n.number = p_number and n.message_id < p_before order by n.message_id desc limit p_most)
      union
      select m.id from (
        select o.first_message_id, o.total from orders o where o.account_id = p_account and o.state = 'sending'
        union all
        select o.first_message_id, o.total from orders o where o.account_id = p_account and o.state = 'scheduled'
        union all
        select o.first_message_id, o.total from orders o where o.account_id = p_account
          and not o.numbered and o.state in ('finished', 'cancelled', 'failed')) o
      cross join lateral (
        select y.id from messages y where y.account_id = p_account
          and y.id between o.first_message_id and o.first_message_id + o.total - 1 and y.number = p_number and y.id < p_before offset 0) m) x
    order by x.id desc limit p_most;
end $$;
