-- is_repeat: the same flush again, because the answer to its commit was lost; it is stored already. is_owner: the dispatcher has not been
-- declared dead.
create or replace function begin_flush(p_owner bigint, p_flush bigint, out is_repeat boolean, out is_owner boolean) language plpgsql as $$
declare
  v_last bigint;
  v_place tid;
begin
  -- The newest version first: docs/decisions/0020-old-snapshots.md.
  select d.flush, d.ctid into v_last, v_place from dispatchers d where d.id between p_owner and p_owner
    order by d.id desc limit 1 for no key update;
  is_owner := v_last is not null;
  is_repeat := is_owner and v_last >= p_flush;
  if is_owner and not is_repeat then update dispatchers d set flush = p_flush where d.ctid = v_place; end if;
end $$;
