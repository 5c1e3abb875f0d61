create or replace function add_ends_1(p_some message_ends, p_more message_ends) returns message_ends language plpgsql immutable as $$
begin
  if coalesce(cardinality(p_more.messages), 0) = 0 then return p_some; end if;
  if p_some.messages is null then return p_more; end if;
  return row(p_some.accounts || p_more.accounts, p_some.messages || p_more.messages, p_some.statuses || p_more.statuses,
    p_some.reasons || p_more.reasons)::message_ends;
end $$;
