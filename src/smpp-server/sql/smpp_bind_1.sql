-- A place among the binds of a user, counted over all living nodes; null when there is none left. Two that ask at the same time
-- wait for one another on the user's row.
create or replace function smpp_bind_1(
  p_node bigint, p_user bigint, p_kind text, p_address text, p_secure boolean, p_silence integer)
returns bigint language plpgsql as $$
declare
  v_most integer;
  v_bind bigint;
begin
  update smpp_users u set last_bind_at = now(), last_address = p_address where u.id = p_user and u.enabled
    returning u.binds_max into v_most;
  if not found then return null; end if;
  if (select count(*) from smpp_binds b join smpp_nodes n on n.id = b.node_id
      where b.user_id = p_user and n.beat_at > now() - p_silence * interval '1 second') >= v_most then
    return null;
  end if;
  insert into smpp_binds (node_id, user_id, kind, address, secure) values (p_node, p_user, p_kind, p_address, p_secure)
    returning id into v_bind;
  return v_bind;
end $$;
