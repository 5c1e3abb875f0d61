-- New chunks for messages to try again (kind 1) or in doubt (kind 2, with the times at which they were written).
create or replace function insert_later_1(p_later jsonb) returns void language plpgsql as $$
begin
  insert into chunks (account_id, order_id, lane, kind, rank, first_message_id, count, ids, attempt, due_at, marked_at,
      carrier_id, written_at)
    select l.account, l."order", l.lane, l.kind, chunk_rank_1(cardinality(l.ids)), l.ids[1], cardinality(l.ids),
      (select array_agg(i order by i) from unnest(l.ids) i), l.attempt,
      now() + make_interval(secs => l.delay_ms / 1000.0), now(), l.carrier,
      case when l.kind = 2 then (
        select array_agg(now() - make_interval(secs => u.age / 1000.0) order by u.id) from unnest(l.ids, l.ages_ms) u(id, age)) end
    from jsonb_to_recordset(p_later) l(account bigint, "order" bigint, lane smallint, kind smallint, ids bigint[],
      attempt smallint, delay_ms bigint, carrier integer, ages_ms float8[]);
end $$;
