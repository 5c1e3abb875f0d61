-- Cuts an order into chunks.
create or replace function insert_chunks_1(p_account bigint, p_lane smallint, p_first bigint, p_total integer,
  p_size integer, p_due timestamptz) returns void language plpgsql as $$
begin
  insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
  select p_account, p_lane, chunk_rank_1(p_total), p_first + s, least(p_size, p_total - s), p_due
  from generate_series(0, p_total - 1, p_size) s;
end $$;
