-- Of plain orders of which some are stored as one (p_groups, as in accept_many_4), place by place from 0: where the order stands that each
-- belongs to, and how many messages the order has that stands there (0: none does). null, null when all stand alone.
create or replace function joint_orders_1(p_groups integer[], out owners integer[], out sizes integer[]) language plpgsql as $$
declare
  v_owner integer;
begin
  if p_groups is null then return; end if;
  sizes := array_fill(0, array[cardinality(p_groups)]);
  owners := sizes;
  for i in 1 .. cardinality(p_groups) loop
    if i = 1 or p_groups[i] = 0 or p_groups[i] <> p_groups[i - 1] then v_owner := i - 1; end if;
    owners[i] := v_owner;
    sizes[v_owner + 1] := sizes[v_owner + 1] + 1;
  end loop;
end $$;
