-- The facts of these orders that sending needs: sender and whether it may be used, consent list, time, and their texts in this range.
-- recheck: since one of them was accepted a number was blacklisted, or a consent that it needs was withdrawn; or the account has no active
-- brand any more.
create or replace function sending_facts(p_account bigint, p_orders bigint[], p_first_text integer, p_last_text integer)
returns table (recheck boolean, facts json) language sql stable as $$
  select exists (select 1 from blacklist_entries b where b.account_id = p_account and b.added_at >= j.since)
      or (j.list is not null and (
        exists (select 1 from consent_records r where r.account_id = p_account and r.status = 'RET' and r.created_at >= j.since)
        -- The registry refused an ONAY.
        or exists (select 1 from consent_records r where r.account_id = p_account and not r.counts and r.synced_at >= j.since)
        or not exists (select 1 from brands d where d.account_id = p_account and d.active))),
    j.facts
  from (
    select max(o.consent_list) as list,
      -- A transaction that began before the order was accepted may have committed after the order was judged.
      min(o.submit_at) - interval '1 minute' as since,
      json_agg(json_build_object('id', o.id, 'sender', o.sender, 'senderOk', s.ok, 'list', o.consent_list,
        'sendAtMs', extract(epoch from o.send_at) * 1000, 'text', o.text, 'encoding', o.encoding, 'more', case when p_last_text > 1 then (
          select json_agg(json_build_object('no', t.no, 'text', t.text, 'encoding', t.encoding)) from more_texts t
          where t.order_id = o.id and t.account_id = p_account and t.no between p_first_text and p_last_text) end)) as facts
    from orders o cross join lateral sender_stands(p_account, o.sender) s
    where o.id = any (p_orders) and o.account_id = p_account) j
$$;
