-- is_repeat: the same flush again, because the answer to its commit was lost; it is stored already. is_owner: a dispatcher that
-- was declared dead still tells what its carriers said, but no longer decides about chunks, which have a new owner.
create or replace function begin_flush_1(p_owner bigint, p_flush bigint, out is_repeat boolean, out is_owner boolean) language plpgsql as $$
declare
  v_last bigint;
begin
  select d.flush into v_last from dispatchers d where d.id = p_owner for no key update;
  is_owner := v_last is not null;
  is_repeat := is_owner and v_last >= p_flush;
  if is_owner and not is_repeat then update dispatchers d set flush = p_flush where d.id = p_owner; end if;
end $$;
