-- Those of these plain orders that were judged 200, in their order.
create or replace function only_accepted_1(p_orders plain_orders, p_codes integer[]) returns plain_orders language plpgsql as $$
begin
  return (
    select row(coalesce(array_agg(u.caller), '{}'), array_agg(u.source), array_agg(u.fingerprint), array_agg(u.body), array_agg(u.encoding),
      array_agg(u.parts), array_agg(u.number))::plain_orders
    from (
      select * from unnest(p_codes, p_orders.callers, p_orders.sources, p_orders.fingerprints, p_orders.texts, p_orders.encodings,
        p_orders.parts, p_orders.numbers) with ordinality x(code, caller, source, fingerprint, body, encoding, parts, number, ord)
      where code = 200 order by ord) u);
end $$;
