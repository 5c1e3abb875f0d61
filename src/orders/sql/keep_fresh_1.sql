-- Stores the submits of this flush that have no receipt yet in one row, and ends rows: those of their messages that nobody has reported
-- are entered in submissions.
create or replace function keep_fresh_1(p_owner bigint, p_flush bigint, p_fresh fresh_columns) returns void language plpgsql as $$
begin
  if p_fresh.is_open then
    insert into fresh_submits (owner, no, first_message, last_message, carriers, ids, accounts, messages)
      select p_owner, p_flush, min(m), max(m), p_fresh.carriers, p_fresh.ids, p_fresh.accounts, p_fresh.messages from unnest(p_fresh.messages) m;
  end if;
  if cardinality(p_fresh.kept) > 0 then
    insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts, submitted_at)
      select u.carrier, u.id, u.account, u.message, 1, 1, s.submitted_at
      from fresh_submits s cross join lateral unnest(s.carriers, s.ids, s.accounts, s.messages) u(carrier, id, account, message)
      join unnest(p_fresh.kept) k(message) on k.message = u.message
      where s.owner = p_owner and s.no = any (p_fresh.gone);
  end if;
  if cardinality(p_fresh.gone) > 0 then delete from fresh_submits s where s.owner = p_owner and s.no = any (p_fresh.gone); end if;
end $$;
