-- Checks that the data are in the same place as before. If not, it holds dispatch until an operator releases it, moves ids ahead (jump_ids),
-- stores the new place and returns the reason. It compares the ids of cluster and database (they change when a dump is restored), the
-- timeline (a recovered base backup, a promoted standby) and the embedded server's files (a copied folder): p_files and p_folder, null when
-- unknown. A value that cannot be read, as on a managed server, or was never stored is not compared; hosts, addresses and paths are not
-- either. p_vouched: the caller found all of its writes, so a new timeline is no reason to hold. Ids jump anyway, because another process may
-- have answered a request whose order is missing.
create or replace function recognise_home(p_files text, p_folder text, p_vouched boolean) returns text language plpgsql as $$
declare
  v_system text;
  v_timeline bigint;
  v_database bigint := (select d.oid from pg_database d where d.datname = current_database());
  v data_home;
  v_reason text;
begin
  if pg_is_in_recovery() then return null; end if;
  begin
    v_system := (select s.system_identifier from pg_control_system() s);
    v_timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
  exception when insufficient_privilege or feature_not_supported then
    null;
  end;
  select * into v from data_home;
  if not found then
    insert into data_home (system, timeline, database_oid, files, folder)
      values (v_system, v_timeline, v_database, p_files, p_folder) on conflict do nothing;
    return null;
  end if;
  if v.system is not distinct from coalesce(v_system, v.system) and v.timeline is not distinct from coalesce(v_timeline, v.timeline)
    and v.database_oid = v_database and v.files is not distinct from coalesce(p_files, v.files)
    and v.folder is not distinct from coalesce(p_folder, v.folder) then return null; end if;

  -- Read again under a lock: one of several concurrent callers decides.
  select * into v from data_home for update;
  v_reason := case
    when v.system <> v_system or v.database_oid <> v_database then 'other-database'
    when v.timeline <> v_timeline and not p_vouched then 'other-timeline'
    when v.files <> p_files then 'other-folder' end;
  update data_home set system = coalesce(v_system, system), timeline = coalesce(v_timeline, timeline), database_oid = v_database,
    files = coalesce(p_files, files), folder = coalesce(p_folder, folder), at = now(),
    jumped_for = coalesce(jumped_for, concat_ws(' ', system, lpad(upper(to_hex(timeline)), 8, '0'), database_oid, files)),
    lost_at = case when v_reason is null then lost_at else now() end;
  if v_reason is not null then
    insert into dispatch_hold (reason, detail) values (v_reason, case v_reason
        when 'other-folder' then format('%s → %s', v.folder, p_folder)
        when 'other-timeline' then format('%s → %s', v.timeline, v_timeline)
        else format('%s/%s → %s/%s', v.system, v.database_oid, v_system, v_database) end)
      on conflict do nothing;
  end if;
  perform jump_ids();
  return v_reason;
end $$;
