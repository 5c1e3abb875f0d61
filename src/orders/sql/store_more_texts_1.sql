-- The texts of an order beyond its first, which stands in its own row.
create or replace function store_more_texts_1(p_account bigint, p_order bigint, p_texts text_columns) returns boolean language plpgsql as $$
begin
  insert into more_texts (order_id, account_id, no, text, encoding, parts)
    select p_order, p_account, u.no, u.text, u.encoding, u.parts
    from unnest(p_texts.texts, p_texts.encodings, p_texts.parts) with ordinality u(text, encoding, parts, no) where u.no > 1;
  return true;
end $$;
