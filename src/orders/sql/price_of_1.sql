-- Credits for all recipients who may be written to: the parts of their texts.
create or replace function price_of_1(p_recipients recipient_columns, p_parts smallint[]) returns bigint language plpgsql as $$
begin
  if p_recipients.text_nos is null and p_recipients.reasons is null then
    return cardinality(p_recipients.numbers)::bigint * p_parts[1];
  end if;
  return (select sum(p_parts[coalesce(u.text_no, 1)]) from unnest(p_recipients.numbers, p_recipients.text_nos, p_recipients.reasons)
    u(number, text_no, reason) where coalesce(u.reason, 0) = 0);
end $$;
