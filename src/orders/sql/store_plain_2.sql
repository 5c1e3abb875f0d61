-- Stores plain orders (one recipient, one text, now) under consecutive numbers: what store_orders_1 does for any, without making rows
-- of them first. Those of one caller that stand side by side share chunks of up to p_terms.chunk messages. Those of one group become one order, known by the numbers of all of them
-- (docs/decisions/0021-joint-orders.md). Read by subscripts: see plain_orders_1.
create or replace function store_plain_2(p_callers order_callers, p_terms order_terms, p_orders plain_orders, p_origins jsonb[],
  p_origin_nos integer[], p_groups integer[], p_first_order bigint, p_first_message bigint) returns boolean language plpgsql as $$
declare
  v_accounts bigint[] := p_callers.accounts;
  v_senders text[] := p_callers.senders;
  v_callers integer[] := p_orders.callers;
  v_sources text[] := p_orders.sources;
  v_texts text[] := p_orders.texts;
  v_parts smallint[] := p_orders.parts;
  v_last integer := cardinality(v_callers) - 1;
  v_owners integer[];
  v_sizes integer[];
  -- Where the messages begin that share chunks, and how many stand side by side.
  v_firsts integer[] := array[0];
  v_counts integer[] := array[v_last + 1];
begin
  if p_groups is not null then select x.owners, x.sizes into v_owners, v_sizes from joint_orders_1(p_groups) x; end if;
  if v_callers[1] <> any (v_callers) or p_groups[1] <> any (p_groups) then
    select array_agg(x.first), array_agg(x.count) into v_firsts, v_counts from (
      select y.first, lead(y.first, 1, v_last + 1) over (order by y.first) - y.first as count
      from generate_series(0, v_last) y(first)
      where v_callers[y.first] is distinct from v_callers[y.first + 1] or p_groups[y.first] is distinct from p_groups[y.first + 1]) x;
  end if;
  with stored as (
    insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at, close_after,
        fingerprint, text, encoding, parts, smpp)
      select p_first_order + i, v_accounts[v_callers[i + 1]], v_senders[v_callers[i + 1]], p_terms.lane, v_sources[i + 1], 'sending',
        coalesce(v_sizes[i + 1], 1), coalesce(v_sizes[i + 1], 1) * v_parts[i + 1], p_first_message + i, p_terms.submit_at, p_terms.send_at,
        p_terms.close_after, p_orders.fingerprints[i + 1], v_texts[i + 1], p_orders.encodings[i + 1], v_parts[i + 1],
        case when v_sizes[i + 1] > 1 then p_origins[p_origin_nos[i + 1]] || '{"each": true}' else p_origins[p_origin_nos[i + 1]] end
      from generate_series(0, v_last) i where v_sizes is null or v_sizes[i + 1] > 0),
  single as (
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select p_first_message + i, v_accounts[v_callers[i + 1]], p_first_order + coalesce(v_owners[i + 1], i), p_orders.numbers[i + 1], 1,
        v_parts[i + 1], 110
      from generate_series(0, v_last) i),
  whole as (
    -- Each was submitted by itself and goes before campaigns, however many became one order.
    insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
      select v_accounts[v_callers[i + 1]], p_terms.lane, chunk_rank_1(1), p_first_message + i, n, now()
      from unnest(v_firsts, v_counts) u(first, count) cross join lateral generate_series(0, u.count - 1, p_terms.chunk) s
      cross join lateral (select u.first + s, least(p_terms.chunk, u.count - s)) x(i, n))
  insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
    select v_accounts[v_callers[i + 1]], 'reserve', -x.price, x.price, p_first_order + i, p_terms.submit_at
    from generate_series(0, v_last) i cross join lateral (select coalesce(v_sizes[i + 1], 1) * v_parts[i + 1]) x(price)
    where v_sizes is null or v_sizes[i + 1] > 0;
  return true;
end $$;
