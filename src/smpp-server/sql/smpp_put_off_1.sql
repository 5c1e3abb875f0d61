-- Receipts of bundles of this process that must wait alone, each for so many ms, become rows of the outbox: an id for each, in their
-- order; 0 for one that is none of ours any more, or was put off before (the answer to that commit was lost).
create or replace function smpp_put_off_1(p_node bigint, p_bundles bigint[], p_places integer[], p_ms integer[]) returns bigint[]
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off as $$
declare
  v_bundle smpp_bundles;
  v_ids bigint[] := '{}';
  v_id bigint;
begin
  perform 1 from smpp_bundles b where b.id = any (p_bundles) order by b.id for update;
  for i in 1 .. cardinality(p_bundles) loop
    v_id := 0;
    select b.* into v_bundle from smpp_bundles b where b.id = p_bundles[i] and b.node_id = p_node and get_bit(b.told, p_places[i]) = 0;
    if found then
      insert into smpp_outbox (user_id, order_id, message_id, smpp_id, status, reason, created_at, due_at, tries)
        values (v_bundle.user_id, v_bundle.orders[p_places[i] + 1], v_bundle.messages[p_places[i] + 1],
          v_bundle.orders[p_places[i] + 1] + v_bundle.messages[p_places[i] + 1]
            - (select o.first_message_id from orders o where o.id = v_bundle.orders[p_places[i] + 1]),
          v_bundle.statuses[p_places[i] + 1], v_bundle.reasons[p_places[i] + 1], v_bundle.created_at,
          now() + p_ms[i] * interval '1 millisecond', 1)
        returning id into v_id;
      update smpp_bundles b set told = set_bit(b.told, p_places[i], 1) where b.id = p_bundles[i];
    end if;
    v_ids := v_ids || v_id;
  end loop;
  return v_ids;
end $$;
