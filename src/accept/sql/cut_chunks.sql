-- Cuts these orders into chunks, except scheduled ones: ranges of messages, shared by neighbours of one account, lane and rank.
create or replace function cut_chunks(p_orders new_orders, p_codes integer[], p_firsts bigint[], p_now timestamptz) returns boolean
language plpgsql as $$
begin
  insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
    select g.account, g.lane, g.rank, s, least(g.size, g.behind - s), now()
    from (
      select i.account, i.lane, i.rank, min(i.first) as first, max(i.first + i.total) as behind, min(i.size) as size
      from (
        select o.*, x.rank, o.place - row_number() over (partition by o.account, o.lane, x.rank order by o.place) as island
        from unnest(p_orders.accounts, p_orders.lanes, p_orders.totals, p_orders.sizes, p_orders.send_at, p_firsts, p_codes)
          with ordinality o(account, lane, total, size, send_at, first, code, place)
        cross join lateral (select chunk_rank(o.total)) x(rank)
        where o.code = 200 and (o.send_at > p_now) is not true) i
      group by i.account, i.lane, i.rank, i.island) g
    cross join lateral generate_series(g.first, g.behind - 1, g.size) s;
  return true;
end $$;
