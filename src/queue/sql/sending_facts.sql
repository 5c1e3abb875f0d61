-- What sending needs to know of these orders: sender and whether it may be used, consent list, time, and those of its texts that are
-- between these two. recheck: somebody may have objected since one of them was accepted.
create or replace function sending_facts(p_account bigint, p_orders bigint[], p_first_text integer, p_last_text integer)
returns table (recheck boolean, facts json) language sql stable as $$
  select (
      -- What was begun before the order was accepted may have been committed after it was judged.
      select r.are_there from objections_since_1(p_account, max(o.consent_list), min(o.submit_at) - interval '1 minute') r),
    json_agg(json_build_object('id', o.id, 'sender', o.sender, 'senderOk', s.ok, 'list', o.consent_list,
      'sendAtMs', extract(epoch from o.send_at) * 1000, 'text', o.text, 'encoding', o.encoding, 'more', case when p_last_text > 1 then (
        select json_agg(json_build_object('no', t.no, 'text', t.text, 'encoding', t.encoding)) from more_texts t
        where t.order_id = o.id and t.account_id = p_account and t.no between p_first_text and p_last_text) end))
  from orders o cross join lateral sender_stands_1(p_account, o.sender) s
  where o.id = any (p_orders) and o.account_id = p_account
$$;
