-- Credits for the recipients of an order of several texts who may be written to: the parts of what each gets.
create or replace function price_of_1(p_recipients recipient_columns, p_parts smallint[]) returns bigint language plpgsql as $$
begin
  return (select sum(p_parts[u.text_no]) from unnest(p_recipients.text_nos, p_recipients.reasons) u(text_no, reason)
    where coalesce(u.reason, 0) = 0);
end $$;
