-- Gives leased chunks back. What lies before the mark has its answer; what lies beyond waits again.
create or replace function give_back(p_chunks bigint[], p_tokens bigint[], p_marks integer[]) returns void language plpgsql as $$
begin
  with held as (
    select c.account_id, c.first_message_id, c.id, u.mark from unnest(p_chunks, p_tokens, p_marks) u(id, token, mark)
    join chunks c on c.id = u.id and c.lease_owner is not null and c.lease_token = u.token order by c.id for update of c)
  update chunks c set lease_owner = null, lease_token = null, mark = 0, count = c.count - h.mark, ids = c.ids[h.mark + 1:],
      first_message_id = case when c.ids is null then c.first_message_id + h.mark else coalesce(c.ids[h.mark + 1], c.first_message_id) end
    from held h where c.account_id = h.account_id and c.first_message_id = h.first_message_id and c.id = h.id;
end $$;
