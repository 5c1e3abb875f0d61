-- New chunks for messages to try again (kind 1), or set aside (kind 3).
create or replace function requeue(p_later jsonb) returns void language plpgsql as $$
begin
  insert into chunks (account_id, lane, rank, first_message_id, count, ids, attempt, due_at, marked_at, lost)
    select l.account, l.lane, chunk_rank(cardinality(l.ids)), (select min(i) from unnest(l.ids) i),
      cardinality(l.ids), (select array_agg(i order by i) from unnest(l.ids) i), l.attempt,
      now() + make_interval(secs => l.delay_ms / 1000.0), now(), case when l.kind = 3 then 100 else 0 end
    from jsonb_to_recordset(p_later) l(account bigint, lane smallint, kind smallint, ids bigint[],
      attempt smallint, delay_ms bigint) where l.kind <> 2;
end $$;
