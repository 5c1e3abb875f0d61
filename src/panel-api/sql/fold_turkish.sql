-- `istanbul`, `ISTANBUL`, `İSTANBUL` and `ıstanbul` are one word to a search.
create or replace function fold_turkish(given text) returns text language sql immutable as $$
  select lower(translate(given, 'İIıÇĞÖŞÜçğöşüÂâÎîÛû', 'iiicgosucgosuaaiiuu'))
$$;
