-- What the deliver_sm of those receipts of a bundle need that are not told yet, an array for each thing. Looked up one by one: see
-- smpp_owe_1.
create or replace function smpp_left_1(p_orders bigint[], p_messages bigint[], p_statuses smallint[], p_reasons smallint[], p_told varbit)
returns table (places bigint[], smpp_ids bigint[], statuses smallint[], reasons smallint[], submitted bigint[], numbers json, senders json,
  origins json) language plpgsql as $$
begin
  return query
    select array_agg(i::bigint), array_agg(p_orders[i + 1]), array_agg(p_statuses[i + 1]), array_agg(p_reasons[i + 1]),
      array_agg((extract(epoch from r.submit_at) * 1000)::bigint), json_agg(coalesce(m.number::text, m.given)), json_agg(r.sender),
      json_agg(r.smpp)
    from generate_series(0, cardinality(p_orders) - 1) i
    cross join lateral (
      select y.account_id, y.sender, y.submit_at, y.smpp from orders y where y.id = p_orders[i + 1] offset 0) r
    cross join lateral (
      select y.number, y.given from messages y where y.id = p_messages[i + 1] and y.account_id = r.account_id offset 0) m
    where get_bit(p_told, i) = 0;
end $$;
