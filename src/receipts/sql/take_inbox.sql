-- Takes the receipts of these inbox rows, in the order of arrival, and then unmatched receipts of these submits, which came before the
-- answer. The caller settles them in the same transaction; a row that another process has settled yields nothing.
create or replace function take_inbox(p_owner bigint, p_nos bigint[], s_carriers integer[], s_ids text[]) returns receipt_inbox
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_all receipt_inbox;
  v_row receipt_inbox;
begin
  if cardinality(p_nos) > 0 then
    for v_row in
      with gone as (delete from receipt_inbox i where i.owner = p_owner and i.no = any (p_nos) returning i.*)
      select * from gone g order by g.no
    loop
      v_all := row(p_owner, v_row.no, least(v_all.received_at, v_row.received_at), v_all.carriers || v_row.carriers, v_all.ids || v_row.ids,
        v_all.statuses || v_row.statuses, v_all.reasons || v_row.reasons, v_all.numbers || v_row.numbers, v_all.messages || v_row.messages)::receipt_inbox;
    end loop;
  end if;
  if cardinality(s_ids) > 0 and exists (select 1 from receipts) then
    with early as (
      delete from receipts r where r.id = any (array(
        select x.id from unnest(s_carriers, s_ids) s(carrier, id) cross join lateral (
          -- Carriers reuse ids: an old receipt was about another message.
          select y.id from receipts y where y.carrier_id = s.carrier and y.smsc_id = s.id
            and y.received_at > now() - interval '10 minutes' offset 0) x order by x.id))
      returning r.*),
    columns as (
      select array_agg(carrier_id) as carriers, array_agg(smsc_id) as ids, array_agg(status) as statuses, array_agg(reason) as reasons,
        array_agg(coalesce(number, 0)) as numbers, array_agg(0::bigint) as messages, min(received_at) as received_at from early having count(*) > 0)
    select p_owner, 0, least(v_all.received_at, c.received_at), v_all.carriers || c.carriers, v_all.ids || c.ids, v_all.statuses || c.statuses,
        v_all.reasons || c.reasons, v_all.numbers || c.numbers, v_all.messages || c.messages
      into v_row from columns c;
    if found then v_all := v_row; end if;
  end if;
  return v_all;
end $$;
