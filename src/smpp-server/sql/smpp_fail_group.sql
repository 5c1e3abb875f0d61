-- Ends a long message without an order: its parts are reported as failed, except p_but, whose submit is answered with the refusal.
create or replace function smpp_fail_group(p_group bigint, p_reason smallint, p_but bigint) returns boolean language plpgsql as $$
declare
  v_user bigint;
begin
  update smpp_groups g set state = 3, changed_at = now() where g.id = p_group and g.state < 2 returning g.user_id into v_user;
  if not found then return false; end if;
  insert into smpp_outbox (user_id, smpp_id, status, reason)
    select v_user, p.id, 112, p_reason from smpp_parts p
    where p.group_id = p_group and p.origin ->> 'r' <> '0' and p.id is distinct from p_but order by p.no;
  return true;
end $$;
