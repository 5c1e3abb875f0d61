-- Numbers of messages that are being written now and have no answer: their receipt may come before it. p_wanted: nobody asks otherwise.
create or replace function written_numbers(p_wanted boolean) returns setof bigint language sql stable as $$
  select m.number from chunks c
  cross join lateral (select coalesce(c.ids[1], c.first_message_id) as low, coalesce(c.ids[c.mark], c.first_message_id + c.mark - 1) as high) w
  cross join lateral (
    select y.number from messages y
    -- All of a chunk at once: asked for each message the index by message costs a millisecond.
    left join (select s.message_id from submits s where s.message_id between w.low and w.high
      group by 1 having count(distinct s.part) >= max(s.parts)) a on a.message_id = y.id
    where y.account_id = c.account_id and y.status = 110 and y.id between w.low and w.high and (c.ids is null or y.id = any (c.ids[:c.mark]))
      and y.number is not null and a.message_id is null) m
  where p_wanted and c.lease_owner is not null and c.mark > 0
$$;
