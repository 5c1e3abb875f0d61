-- Stores chunks of messages to retry (kind 1) or to quarantine (3), and messages that may be on the air without an answer (2, with the time
-- since each was written).
create or replace function put_later(p_later jsonb) returns void language plpgsql as $$
begin
  insert into chunks (account_id, lane, rank, first_message_id, count, ids, attempt, due_at, marked_at, lost)
    select l.account, l.lane, chunk_rank(cardinality(l.ids)), (select min(i) from unnest(l.ids) i), cardinality(l.ids),
      (select array_agg(i order by i) from unnest(l.ids) i), l.attempt, now() + make_interval(secs => l.delay_ms / 1000.0), now(),
      case when l.kind = 3 then 100 else 0 end
    from jsonb_to_recordset(p_later) l(account bigint, lane smallint, kind smallint, ids bigint[], attempt smallint, delay_ms bigint)
    where l.kind <> 2;
  insert into unsure as d (message_id, account_id, attempt, number, lane, carrier_id, written_at, decide_at, single)
    select m.id, l.account, l.attempt, m.number, l.lane, coalesce(l.carrier, only_carrier_of(m.number)),
      now() - make_interval(secs => coalesce(u.age, 0) / 1000.0), now() + make_interval(secs => l.delay_ms / 1000.0), l.single
    from jsonb_to_recordset(p_later) l(account bigint, lane smallint, kind smallint, ids bigint[], attempt smallint, delay_ms bigint, carrier integer,
      ages_ms float8[], single boolean)
    cross join lateral unnest(l.ids, l.ages_ms) u(id, age)
    cross join lateral (
      select x.id, x.number from messages x where x.id = u.id and x.account_id = l.account and x.number is not null offset 0) m
    where l.kind = 2
    on conflict (message_id, account_id, attempt) do update set carrier_id = excluded.carrier_id, decide_at = excluded.decide_at;
end $$;
