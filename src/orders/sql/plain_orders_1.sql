-- Plain orders as rows: for what is reckoned of them account by account.
--
-- Read by subscripts: unnest() of several arrays makes a store of rows for each of them, 4 % of a batch of 64. Those of texts have
-- variables of their own, which are unpacked once; to find the nth text otherwise means to walk over those before it.
create or replace function plain_orders_1(p_callers order_callers, p_orders plain_orders) returns new_order[] language plpgsql as $$
declare
  v_sources text[] := p_orders.sources;
  v_texts text[] := p_orders.texts;
begin
  return array(
    select row(p_callers.accounts[p_orders.callers[i]], p_callers.senders[p_orders.callers[i]], v_sources[i],
      p_orders.fingerprints[i], v_texts[i], p_orders.encodings[i], p_orders.parts[i], 1, 0, p_orders.parts[i],
      p_orders.numbers[i])::new_order
    from generate_series(1, cardinality(p_orders.callers)) i);
end $$;
