-- Takes consecutive ids for p_count messages and returns the first. The sequence counts by blocks of 128; several blocks are taken again until
-- they are consecutive, which is nearly always the first time.
create or replace function take_message_ids(p_count integer) returns bigint language plpgsql as $$
declare
  v_blocks integer := (p_count + 127) / 128;
  v_first bigint;
  v_last bigint;
begin
  if v_blocks = 1 then return nextval('message_ids'); end if;
  loop
    select min(i), max(i) into v_first, v_last from (select nextval('message_ids') as i from generate_series(1, v_blocks) offset 0) x;
    if v_last - v_first = (v_blocks - 1) * 128 then return v_first; end if;
  end loop;
end $$;
