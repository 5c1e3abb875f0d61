-- What sending needs to know of these orders: sender and whether it may be used, consent list, time, and those of its texts that are
-- between these two. recheck: since one of them was accepted somebody was blacklisted, or withdrew a consent that it needs; or the account has
-- no subscription any more by which anybody consents.
create or replace function sending_facts(p_account bigint, p_orders bigint[], p_first_text integer, p_last_text integer)
returns table (recheck boolean, facts json) language sql stable as $$
  select exists (select 1 from blacklist_entries b where b.account_id = p_account and b.added_at >= j.since)
      or (j.list is not null and (
        exists (select 1 from consent_records r where r.account_id = p_account and r.status = 'RET' and r.created_at >= j.since)
        -- An ONAY that the registry has refused.
        or exists (select 1 from consent_records r where r.account_id = p_account and not r.counts and r.synced_at >= j.since)
        or not exists (select 1 from brands d where d.account_id = p_account and d.active))),
    j.facts
  from (
    select max(o.consent_list) as list,
      -- What was begun before the order was accepted may have been committed after it was judged.
      min(o.submit_at) - interval '1 minute' as since,
      json_agg(json_build_object('id', o.id, 'sender', o.sender, 'senderOk', s.ok, 'list', o.consent_list,
        'sendAtMs', extract(epoch from o.send_at) * 1000, 'text', o.text, 'encoding', o.encoding, 'more', case when p_last_text > 1 then (
          select json_agg(json_build_object('no', t.no, 'text', t.text, 'encoding', t.encoding)) from more_texts t
          where t.order_id = o.id and t.account_id = p_account and t.no between p_first_text and p_last_text) end)) as facts
    from orders o cross join lateral sender_stands(p_account, o.sender) s
    where o.id = any (p_orders) and o.account_id = p_account) j
$$;
