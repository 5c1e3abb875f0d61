-- New chunks for messages to try again (kind 1), in doubt (kind 2, with the times at which they were written), or set aside (kind 3).
create or replace function requeue(p_later jsonb) returns void language plpgsql as $$
begin
  insert into chunks (account_id, lane, kind, rank, first_message_id, count, ids, attempt, due_at, marked_at, carrier_id, written_at, lost)
    select l.account, l.lane, case when l.kind = 2 then 2 else 0 end, chunk_rank_1(cardinality(l.ids)), (select min(i) from unnest(l.ids) i),
      cardinality(l.ids), (select array_agg(i order by i) from unnest(l.ids) i), l.attempt,
      now() + make_interval(secs => l.delay_ms / 1000.0), now(), l.carrier,
      case when l.kind = 2 then (
        select array_agg(now() - make_interval(secs => u.age / 1000.0) order by u.id) from unnest(l.ids, l.ages_ms) u(id, age)) end,
      case when l.kind = 3 then 100 else 0 end
    from jsonb_to_recordset(p_later) l(account bigint, lane smallint, kind smallint, ids bigint[],
      attempt smallint, delay_ms bigint, carrier integer, ages_ms float8[]);
end $$;
