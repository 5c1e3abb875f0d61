-- Moves marks before what lies behind them is written; returns the chunks that are still ours. Not marked_at: since then anything of the
-- chunk may have been written, and been reported.
create or replace function move_marks(p_chunks bigint[], p_tokens bigint[], p_marks integer[]) returns setof bigint language sql as $$
  update chunks c set mark = h.mark from (
    select k.account_id, k.first_message_id, k.id, u.mark from unnest(p_chunks, p_tokens, p_marks) u(id, token, mark)
    join chunks k on k.id = u.id and k.lease_owner is not null and k.lease_token = u.token order by k.id for update of k) h
  where c.account_id = h.account_id and c.first_message_id = h.first_message_id and c.id = h.id returning c.id
$$;
