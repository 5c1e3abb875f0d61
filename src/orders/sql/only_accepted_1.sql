-- Of these orders of one recipient those with code 200; all columns null when there is none.
create or replace function only_accepted_1(p_orders new_orders, p_codes integer[]) returns new_orders language plpgsql as $$
begin
  select array_agg(u.caller order by u.ord), array_agg(u.source order by u.ord), array_agg(u.fingerprint order by u.ord),
      array_agg(u.text order by u.ord), array_agg(u.encoding order by u.ord), array_agg(u.parts order by u.ord),
      array_agg(u.number order by u.ord)
    into p_orders.callers, p_orders.sources, p_orders.fingerprints, p_orders.texts, p_orders.encodings, p_orders.parts,
      p_orders.numbers
    from unnest(p_codes, p_orders.callers, p_orders.sources, p_orders.fingerprints, p_orders.texts, p_orders.encodings,
      p_orders.parts, p_orders.numbers) with ordinality u(code, caller, source, fingerprint, text, encoding, parts, number, ord)
    where u.code = 200;
  return p_orders;
end $$;
