-- A carrier says that messages failed which we had closed for lack of a receipt or an answer: its word is the last one, no delivery corrects it.
create or replace function keep_final_words(p_messages bigint[], p_statuses smallint[], p_reasons smallint[]) returns void language plpgsql as $$
begin
  update messages m set reason = u.reason
    from (select * from unnest(p_messages, p_statuses, p_reasons) x(id, status, reason) where x.status = 112 and x.id > 0 order by x.id) u
    where m.id = any (p_messages) and m.id = u.id and m.status = 112 and m.reason in (14, 15);
end $$;
