-- Starts a scheduled order: recipients that were blacklisted or withdrew consent since acceptance end, the rest becomes chunks.
create or replace function start_order(p_account bigint, p_order bigint, p_chunk integer, p_close timestamptz) returns boolean
language plpgsql as $$
declare
  o record;
  v_ids bigint[];
  v_numbers bigint[];
  v_blocked smallint[];
begin
  update orders set state = 'sending', close_after = greatest(close_after, p_close)
    where id = p_order and account_id = p_account and state = 'scheduled'
    returning lane, consent_list, first_message_id, total into o;
  if not found then return false; end if;
  select array_agg(m.id order by m.id), array_agg(m.number order by m.id) into v_ids, v_numbers
    from messages m where m.account_id = p_account and m.id between o.first_message_id and o.first_message_id + o.total - 1
      and m.status = 110;
  v_blocked := blocked(array[p_account], array[o.consent_list], null, v_numbers);
  perform settle(array_agg(u.id), array_agg(112::smallint), array_agg(u.r))
    from unnest(v_ids, v_blocked) u(id, r) where u.r <> 0 having count(*) > 0;
  if 0 = any (v_blocked) then
    insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
      select p_account, o.lane, chunk_rank(o.total), o.first_message_id + s, least(p_chunk, o.total - s), now()
      from generate_series(0, o.total - 1, p_chunk) s;
  end if;
  return true;
end $$;
