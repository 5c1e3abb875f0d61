-- Stores the messages of these orders under consecutive ids.
create or replace function store_messages(p_orders new_orders, p_recipients new_recipients, p_reasons smallint[], p_codes integer[],
  p_ids bigint[], p_first bigint) returns boolean language plpgsql as $$
declare
  v_accounts bigint[] := p_orders.accounts;
  v_parts smallint[] := p_orders.parts;
begin
  -- The usual case: naming all columns costs a quarter more.
  if p_recipients.text_nos is null and p_recipients.given is null and p_reasons is null and 200 = all (p_codes) then
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select p_first + r.place - 1, v_accounts[o], p_ids[o], r.number, 1, v_parts[o], 110
      from unnest(p_recipients.owners, p_recipients.numbers) with ordinality r(owner, number, place)
      cross join lateral (select coalesce(r.owner, 1)) y(o);
    return true;
  end if;
  insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given)
    select p_first + r.place - 1, v_accounts[o], p_ids[o], nullif(r.number, 0), coalesce(r.text_no, 1),
      case when r.reason > 0 then 0 else coalesce(r.credits, v_parts[o]) end, case when r.reason > 0 then 112 else 110 end,
      coalesce(r.reason, 0), case when r.reason > 0 then now() end, r.given
    from unnest(p_recipients.owners, p_recipients.numbers, p_recipients.text_nos, p_recipients.credits, p_recipients.given, p_reasons)
      with ordinality r(owner, number, text_no, credits, given, reason, place)
    cross join lateral (select coalesce(r.owner, 1)) y(o) where p_codes[o] = 200;
  return true;
end $$;
