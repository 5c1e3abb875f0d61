-- Submits that are to be entered at once, and with them those that were to be remembered.
create or replace function add_fresh_1(p_submits submit_columns, p_fresh fresh_columns) returns submit_columns language plpgsql immutable as $$
declare
  v_ones smallint[] := array_fill(1::smallint, array[cardinality(p_fresh.messages)]);
begin
  return row(p_submits.carriers || p_fresh.carriers, p_submits.ids || p_fresh.ids, p_submits.accounts || p_fresh.accounts,
    p_submits.messages || p_fresh.messages, p_submits.part || v_ones, p_submits.parts || v_ones)::submit_columns;
end $$;
