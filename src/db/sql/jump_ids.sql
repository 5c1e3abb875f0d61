-- Moves every sequence far ahead after a restore or failover, so that an id that a customer got from lost data is not given again: by a
-- billion, for messages by ten billion, which is more than a database gives between a backup and its restore. It happens once for each
-- server, timeline and place; before the first jump these are in data_home. A concurrent caller waits. Returns whether the ids jumped now.
create or replace function jump_ids() returns boolean language plpgsql as $$
declare
  v_place text;
begin
  begin
    v_place := (select s.system_identifier from pg_control_system() s)::text || ' '
      || case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end;
  exception when insufficient_privilege or feature_not_supported then
    v_place := null;
  end;
  v_place := concat_ws(' ', v_place, (select oid from pg_database where datname = current_database()));
  update data_home d set jumped_for = concat_ws(' ', v_place, d.files)
    where coalesce(d.jumped_for, concat_ws(' ', d.system, lpad(upper(to_hex(d.timeline)), 8, '0'), d.database_oid, d.files))
      is distinct from concat_ws(' ', v_place, d.files);
  if not found then return false; end if;
  perform setval(format('%I.%I', s.schemaname, s.sequencename)::regclass, coalesce(s.last_value, s.start_value)
      + case when s.sequencename ~ '^(accounts|users|carriers|cells)_' then 1000
        when s.sequencename = 'message_ids' then 10000000000 else 1000000000 end)
    from pg_sequences s
    where s.schemaname = any (current_schemas(false)) and s.data_type = 'bigint'::regtype;
  return true;
end $$;
