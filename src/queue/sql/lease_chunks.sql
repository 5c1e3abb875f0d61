-- Leases due chunks of an account, small orders before large ones: of each kind all that fit its budget, and at least one if there is any
-- budget. Marks are set only as far as messages can be written now (p_room): small chunks one after the other, the first large one up to
-- p_mark. The others get theirs right before they are written, so that a crash leaves as few messages as possible unsure. p_since: chunks that
-- were due before are skipped (docs/decisions/0020-old-snapshots.md). leased: null if there is nothing; taken: messages leased of each kind;
-- others: whether more are due. Several small statements, because a single one costs twice as much.
create or replace function lease_chunks(p_owner bigint, p_token bigint, p_lane smallint, p_account bigint, p_budgets integer[],
  p_mark integer, p_small_chunk integer, p_room integer, p_since timestamptz,
  out leased chunks[], out taken integer[], out others boolean[]) language plpgsql as $$
declare
  v_places tid[];
  v_marks integer[];
  r_places tid[];
  r_counts integer[];
  v_most integer;
  v_count integer;
  v_chunks integer;
  v_mark integer;
begin
  taken := array[0, 0];
  others := array[false, false];
  for v_rank in 0..1 loop
    -- As many as can be leased, and one more to know that there are others: locking a row writes it.
    v_most := least(64, p_budgets[v_rank + 1] + 1);
    select array_agg(y.place), array_agg(y.count) into r_places, r_counts from (
      select x.ctid as place, x.count from chunks x
      where x.lane = p_lane and x.account_id = p_account and x.rank = v_rank::smallint and x.lease_owner is null and x.lost < 2
        and x.due_at between p_since and now()
      order by x.due_at, x.id limit v_most for update skip locked) y;
    continue when r_places is null;
    v_chunks := 0;
    foreach v_count in array r_counts loop
      exit when p_budgets[v_rank + 1] = 0 or v_chunks > 0 and taken[v_rank + 1] + v_count > p_budgets[v_rank + 1];
      v_chunks := v_chunks + 1;
      taken[v_rank + 1] := taken[v_rank + 1] + v_count;
      v_mark := least(p_room, case when v_rank = 0 or v_count <= p_small_chunk then v_count when v_chunks = 1 then least(p_mark, v_count) else 0 end);
      p_room := p_room - v_mark;
      v_marks := v_marks || v_mark;
    end loop;
    v_places := v_places || r_places[:v_chunks];
    others[v_rank + 1] := v_chunks < cardinality(r_places) or v_chunks = 64;
  end loop;
  if v_marks is null then return; end if;
  with held as (
    update chunks k set lease_owner = p_owner, lease_token = p_token, mark = v_marks[array_position(v_places, k.ctid)], marked_at = now()
      -- By ctid alone: with the account in the condition the planner would prefer its index, which leads to all row versions.
      where k.ctid = any (v_places)
      returning k as chunk)
  select array_agg(h.chunk) into leased from held h;
end $$;
