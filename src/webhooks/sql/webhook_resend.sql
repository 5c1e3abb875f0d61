-- Sends events again: one delivery (p_outbox, p_subject) or, with nulls, all that failed since p_since. Events given up while
-- folded become an ordinary outbox row again. Returns the number of events.
create or replace function webhook_resend(p_account bigint, p_outbox bigint, p_subject bigint, p_since timestamptz, p_now timestamptz,
  p_age interval) returns bigint language plpgsql as $$
declare
  v_events bigint;
  v_single bigint;
begin
  with folded as (
    delete from webhook_deliveries d using webhook_outbox o
    where d.account_id = p_account and d.body is null and d.state = 'given-up' and o.account_id = p_account
      and o.id = d.outbox_id and o.parked_at is not null
      and case when p_outbox is null then d.created_at >= p_since else d.outbox_id = p_outbox and d.subject_id = p_subject end
    returning d.outbox_id, d.events),
  woken as (
    update webhook_outbox o set parked_at = null, renewed_at = p_now from folded f
    where o.account_id = p_account and o.id = f.outbox_id)
  select coalesce(sum(f.events), 0) into v_events from folded f;

  -- "All that failed" excludes test events, which belong to the moment when the button was pressed.
  update webhook_deliveries d set state = 'pending', attempts = 0, expires_at = p_now + p_age,
      next_at = case when d.kind = 'final' and exists (select 1 from webhook_deliveries b where b.account_id = p_account
          and b.subject_id = d.subject_id and b.kind = 'accepted' and b.outbox_id < d.outbox_id
          and (b.state = 'pending' or (p_outbox is null and b.state = 'given-up' and b.created_at >= p_since)))
        then 'infinity' else p_now end
    where d.account_id = p_account and d.body is not null
      and case when p_outbox is null then d.state <> 'delivered' and d.kind <> 'test' and d.created_at >= p_since
        else d.outbox_id = p_outbox and d.subject_id = p_subject end;
  get diagnostics v_single = row_count;
  if v_events + v_single > 0 then
    update webhook_states s set next_probe_at = p_now where s.account_id = p_account and s.next_probe_at > p_now;
  end if;
  return v_events + v_single;
end $$;
