-- What the triggers of a fence do (src/cells/move/fence.ts): nothing of the account is written but by whoever moves it. They exist for
-- the few seconds in which an account changes its cell.
create or replace function refuse_fenced_1() returns trigger language plpgsql as $$
begin
  if current_setting('peyk.mover', true) = 'on' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  raise exception 'the account is on its way to another cell' using errcode = 'PK503';
end $$;
