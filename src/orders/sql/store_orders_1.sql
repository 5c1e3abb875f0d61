-- Stores orders that were accepted, under consecutive numbers, with the entries that reserve their credit, their chunks unless they
-- wait for their time, and their messages where there is one each. One statement: four that do the same need a tenth more.
create or replace function store_orders_1(p_orders new_order[], p_terms order_terms, p_first_order bigint, p_first_message bigint)
returns boolean language plpgsql as $$
begin
  with given as materialized (
    select o.*, p_first_order + o.ordinality - 1 as id, p_first_message + o.ordinality - 1 as first_message_id
    from unnest(p_orders) with ordinality o),
  stored as (
    insert into orders (id, account_id, sender, lane, consent_list, source, state, total, undelivered, reserved,
        first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
      select o.id, o.account_id, o.sender, p_terms.lane, p_terms.consent_list, o.source,
        case when p_terms.scheduled then 'scheduled' else 'sending' end, o.total, o.undelivered, o.price, o.first_message_id,
        p_terms.submit_at, p_terms.send_at, p_terms.close_after, o.fingerprint, o.text, o.encoding, o.parts
      from given o),
  single as (
    insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select o.first_message_id, o.account_id, o.id, o.number, 1, o.parts, 110 from given o where o.number is not null),
  whole as (
    insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
      select o.account_id, p_terms.lane, chunk_rank_1(o.total), o.first_message_id, o.total, now()
      from given o where not p_terms.scheduled and o.total <= p_terms.chunk)
  insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
    select o.account_id, 'reserve', -o.price, o.price, o.id, p_terms.submit_at from given o;
  return true;
end $$;
