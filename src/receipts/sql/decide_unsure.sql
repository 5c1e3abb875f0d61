-- Decides up to p_most messages in doubt that are due, and matches late deliveries of decided ones. A transactional message (or as its
-- carrier's setting says) is sent once more if a single copy may be on the air and the message is younger than p_useful. Other messages end as
-- outcome unknown (15). Returns how many were decided, sent once more, matched by receipts and ended.
create or replace function decide_unsure(p_most integer, p_useful interval,
  out decided integer, out resent integer, out adopted integer, out ended integer) language plpgsql
set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_due bigint[];
  v_matched record;
  v_again bigint[];
  v_lost bigint[];
begin
  with due as (
    update unsure u set decide_at = null where (u.message_id, u.account_id, u.attempt) in (
      select x.message_id, x.account_id, x.attempt from unsure x where x.decide_at <= now()
      order by x.decide_at limit p_most for update skip locked)
    returning u.message_id)
  select coalesce(array_agg(distinct d.message_id), '{}') into v_due from due d;
  v_matched := adopt(v_due);
  decided := cardinality(v_due);
  adopted := coalesce(cardinality(v_matched.messages), 0);
  resent := 0;
  ended := 0;
  if decided + adopted = 0 then return; end if;
  -- Messages, then orders, each in the order of ids (docs/decisions/0008-lock-order.md).
  perform 1 from messages m where m.id = any (v_due || v_matched.messages) order by m.id for update;
  perform 1 from orders o where o.id = any (array(select m.order_id from messages m where m.id = any (v_due || v_matched.messages)))
    order by o.id for no key update;
  select array_agg(x.id) filter (where x.once_more), array_agg(x.id) filter (where not x.once_more) into v_again, v_lost from (
    select m.id, count(*) = 1 and bool_and(case coalesce(c.unsure, 'lane') when 'resend' then true when 'fail' then false
        else u.lane = 0 and u.written_at > now() - p_useful end) as once_more
    from messages m join unsure u on u.message_id = m.id and u.account_id = m.account_id left join carriers c on c.id = u.carrier_id
    where m.id = any (v_due) and m.status = 110 and m.id <> all (coalesce(v_matched.messages, '{}'))
      -- Left out: messages answered late. The lookups run one by one, because the messages are few and scattered.
      and (select count(distinct s.part) >= max(s.parts) from submits s where s.message_id = m.id) is not true
    group by m.id) x;
  if v_again is not null then
    resent := cardinality(v_again);
    insert into chunks (account_id, lane, rank, first_message_id, count, ids, attempt, due_at, marked_at)
      select m.account_id, u.lane, chunk_rank(count(*)::integer), min(m.id), count(*), array_agg(m.id order by m.id), u.attempt + 1, now(), now()
      from messages m join unsure u on u.message_id = m.id and u.account_id = m.account_id
      where m.id = any (v_again) group by m.account_id, u.lane, u.attempt;
    -- Customers see this count.
    update orders o set resent = o.resent + r.count from (
        select m.order_id, m.account_id, count(*) as count from messages m where m.id = any (v_again) group by 1, 2) r
      where o.id = r.order_id and o.account_id = r.account_id;
  end if;
  ended := coalesce(cardinality(v_lost), 0);
  perform settle(v_matched.messages || v_lost, v_matched.statuses || array_fill(112::smallint, array[ended]),
    v_matched.reasons || array_fill(15::smallint, array[ended]));
end $$;
