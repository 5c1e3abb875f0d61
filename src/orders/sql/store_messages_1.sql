-- The messages of orders that store_orders_1 stores: of many orders one each, or all of a single one (whose number is the least
-- of theirs and the last). p_parts: of the texts, which are the orders' own, or those of the single order.
-- src/orders/message-rows.ts makes the same rows for COPY.
create or replace function store_messages_1(p_accounts bigint[], p_callers integer[], p_recipients recipient_columns,
  p_parts smallint[], p_submit_at timestamptz, p_first_order bigint, p_first_message bigint) returns boolean language plpgsql as $$
declare
  v_orders integer := cardinality(p_callers);
begin
  insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)
    select p_first_message + i - 1, p_accounts[p_callers[least(i, v_orders)]], p_first_order + least(i, v_orders) - 1,
      nullif(p_recipients.numbers[i], 0), coalesce(p_recipients.text_nos[i], 1),
      case when p_recipients.reasons[i] > 0 then 0 else p_parts[coalesce(p_recipients.text_nos[i], least(i, v_orders))] end,
      case when p_recipients.reasons[i] > 0 then 112 else 110 end, coalesce(p_recipients.reasons[i], 0),
      case when p_recipients.reasons[i] > 0 then p_submit_at end,
      case when p_recipients.numbers[i] = 0 then p_recipients.bad_texts[array_position(p_recipients.bad_at, i)] end
    from generate_series(1, cardinality(p_recipients.numbers)) i;
  return true;
end $$;
