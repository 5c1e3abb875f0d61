-- Receipts of these rows of the inbox, in the order in which they came, and behind them p_more. Whoever gets the rows settles them in the
-- same transaction; a row that somebody else has settled meanwhile yields nothing.
create or replace function take_inbox_1(p_owner bigint, p_nos bigint[], p_more receipt_columns) returns receipt_columns
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_row receipt_inbox;
  v_all receipt_columns;
begin
  if cardinality(p_nos) = 0 then return p_more; end if;
  for v_row in
    with gone as (delete from receipt_inbox i where i.owner = p_owner and i.no = any (p_nos) returning i.*)
    select * from gone g order by g.no
  loop
    v_all := row(v_all.carriers || v_row.carriers, v_all.ids || v_row.ids, v_all.statuses || v_row.statuses,
      v_all.reasons || v_row.reasons, v_all.numbers || v_row.numbers, v_all.repeated || v_row.repeated)::receipt_columns;
  end loop;
  if v_all.ids is null then return p_more; end if;
  return row(v_all.carriers || p_more.carriers, v_all.ids || p_more.ids, v_all.statuses || p_more.statuses,
    v_all.reasons || p_more.reasons, v_all.numbers || p_more.numbers, v_all.repeated || p_more.repeated)::receipt_columns;
end $$;
