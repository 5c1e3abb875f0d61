-- Stores parts that carriers took. An answer that came after all decides about a message in doubt: it is not sent once more. Parts of a
-- long message are counted when it is decided about.
create or replace function store_submits(s_carriers integer[], s_ids text[], s_messages bigint[], s_part smallint[], s_parts smallint[]) returns void
language plpgsql as $$
begin
  insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
    select submit_day(now()), u.* from unnest(s_carriers, s_ids, s_messages, s_part, s_parts) u(carrier_id, smsc_id, message_id, part, parts);
  if exists (select 1 from unsure u where u.decide_at is not null) then
    update unsure u set decide_at = null where (u.message_id, u.account_id, u.attempt) in (
      select x.message_id, x.account_id, x.attempt from unsure x
      where x.message_id = any (s_messages) and x.single and x.decide_at is not null order by x.message_id, x.attempt for update);
  end if;
end $$;
