-- Nobody calls it since 0.2.0: webhook_unfold_2.
-- The next events of folded rows, oldest first, at most p_budgets[i] for p_accounts[i]. s_ names rows that the caller
-- already has in hand and how far. Each slice begins with a row whose `at` is null and whose `upto` says how far the
-- slice goes. `held`: an earlier event of that message still waits for its retry. An account with p_pending_max such
-- events gets nothing more until some of them are through.
create or replace function webhook_unfold_1(p_accounts bigint[], p_budgets integer[], p_pending_max integer,
  s_accounts bigint[], s_ids bigint[], s_to integer[])
returns table (account_id bigint, outbox_id bigint, kind text, total integer, upto integer, created_at timestamptz,
  at integer, subject_id bigint, order_id bigint, event text, recipient text, sender text, text text,
  received_at timestamptz, held boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_account bigint;
  v_budget integer;
  v_pending integer;
  v_upto integer;
  v_submit timestamptz;
  r record;
begin
  for v_account, v_budget in select * from unnest(p_accounts, p_budgets) loop
    select count(*) into v_pending from (select 1 from webhook_deliveries d
      where d.account_id = v_account and d.state = 'pending' limit p_pending_max) c;
    continue when v_pending >= p_pending_max;
    for r in
      select o.id, o.kind, o.order_id, o.first_message_id, o.message_ids, o.inbound_id,
        coalesce(o.renewed_at, o.created_at) as created_at, greatest(o.done, coalesce(s.upto, 0)) as start,
        coalesce(o.message_count, cardinality(o.message_ids), 1) as total
      from webhook_outbox o
      left join unnest(s_accounts, s_ids, s_to) s(account_id, id, upto) on s.account_id = o.account_id and s.id = o.id
      where o.account_id = v_account and o.parked_at is null
        and greatest(o.done, coalesce(s.upto, 0)) < coalesce(o.message_count, cardinality(o.message_ids), 1)
      order by o.id limit v_budget
    loop
      v_upto := least(r.total, r.start + v_budget);
      return query select v_account, r.id, r.kind, r.total, v_upto, r.created_at, null::integer, null::bigint, r.order_id,
        null::text, null::text, null::text, null::text, null::timestamptz, false;
      if r.kind in ('accepted', 'final') then
        select o.submit_at into v_submit from orders o where o.id = r.order_id and o.account_id = v_account;
        return query
          select v_account, r.id, r.kind, r.total, v_upto, r.created_at, u.at, m.id, m.order_id,
            case
              when m.status = 111 and r.kind = 'final' then 'delivered'
              when r.kind = 'final' or (m.reason in (1, 2, 3) and m.final_at <= v_submit) then 'undelivered'
              else 'accepted' end,
            coalesce('+' || m.number, m.given, ''), null::text, coalesce(t.text, ''), null::timestamptz,
            v_pending > 0 and exists (select 1 from webhook_deliveries d where d.account_id = v_account
              and d.subject_id = m.id and d.state = 'pending' and d.kind in ('accepted', 'final'))
          from (
            select g.at, r.first_message_id + g.at as id from generate_series(r.start, v_upto - 1) g(at) where r.kind = 'accepted'
            union all
            select r.start + i.ord::integer - 1, i.id from unnest(r.message_ids[r.start + 1:v_upto]) with ordinality i(id, ord)
              where r.kind = 'final') u
          join messages m on m.account_id = v_account and m.id = u.id
          left join lateral (select x.text from order_texts x
            where x.account_id = v_account and x.order_id = m.order_id and x.no = m.text_no offset 0) t on true
          order by u.at;
      elsif r.kind = 'inbound' then
        return query
          select v_account, r.id, r.kind, r.total, v_upto, r.created_at, 0, i.id, null::bigint, 'inbound',
            i.recipient, i.number_text, i.text, i.received_at, false
          from inbound_messages i where i.account_id = v_account and i.id = r.inbound_id;
      else
        return query select v_account, r.id, r.kind, r.total, v_upto, r.created_at, 0, 0::bigint, null::bigint, 'test',
          null::text, null::text, null::text, null::timestamptz, false;
      end if;
      v_budget := v_budget - (v_upto - r.start);
      exit when v_budget <= 0;
    end loop;
  end loop;
end $$;
