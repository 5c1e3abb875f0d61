-- The messages of one order of several recipients. src/orders/message-rows.ts makes the same rows for COPY.
create or replace function store_recipients_1(p_account bigint, p_order bigint, p_first bigint, p_recipients recipient_columns,
  p_parts smallint[], p_at timestamptz) returns boolean language plpgsql as $$
begin
  -- Nearly always: one text, and everybody may be written to. To say all columns costs a seventh more.
  if p_recipients.text_nos is null and p_recipients.reasons is null then
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select p_first + u.ord - 1, p_account, p_order, u.number, 1, p_parts[1], 110
      from unnest(p_recipients.numbers) with ordinality u(number, ord);
    return true;
  end if;
  insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)
    select p_first + u.ord - 1, p_account, p_order, nullif(u.number, 0), coalesce(u.text_no, 1),
      case when u.reason > 0 then 0 else p_parts[coalesce(u.text_no, 1)] end,
      case when u.reason > 0 then 112 else 110 end, coalesce(u.reason, 0), case when u.reason > 0 then p_at end,
      case when u.number = 0 then p_recipients.bad_texts[array_position(p_recipients.bad_at, u.ord::integer)] end
    from unnest(p_recipients.numbers, p_recipients.text_nos, p_recipients.reasons) with ordinality u(number, text_no, reason, ord);
  return true;
end $$;
