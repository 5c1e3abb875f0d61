-- Stores submits that carriers accepted. Returns these receipts and with them those that came before their submit's answer.
create or replace function store_submits_1(p_submits submit_columns, p_receipts receipt_columns) returns receipt_columns
language plpgsql as $$
begin
  insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts)
    select * from unnest(p_submits.carriers, p_submits.ids, p_submits.accounts, p_submits.messages, p_submits.part, p_submits.parts);
  if exists (select 1 from receipts) then
    with taken as (
      delete from receipts r where r.id = any (array(
        select x.id from unnest(p_submits.carriers, p_submits.ids) s(carrier, id) cross join lateral (
          -- Not an old one: carriers begin their ids again, and that one was about another message.
          select y.id from receipts y where y.carrier_id = s.carrier and y.smsc_id = s.id
            and y.received_at > now() - interval '10 minutes' offset 0) x))
      returning r.carrier_id, r.smsc_id, r.status, r.reason, r.number)
    select p_receipts.carriers || coalesce(array_agg(carrier_id), '{}'), p_receipts.ids || coalesce(array_agg(smsc_id), '{}'),
        p_receipts.statuses || coalesce(array_agg(status), '{}'), p_receipts.reasons || coalesce(array_agg(reason), '{}'),
        p_receipts.numbers || coalesce(array_agg(number), '{}'), p_receipts.repeated || coalesce(array_agg(false), '{}')
      into p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons, p_receipts.numbers, p_receipts.repeated
      from taken;
  end if;
  return p_receipts;
end $$;
