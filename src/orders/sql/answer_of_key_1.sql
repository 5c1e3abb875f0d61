-- What is answered to an idempotency key that was used before: 200 and its order, or 422 when it came with another body. No
-- row when it was not.
create or replace function answer_of_key_1(p_account bigint, p_claim idempotency_claim)
returns table (code integer, order_id bigint) language sql stable as $$
  select case when k.body_digest = p_claim.body_digest then 200 else 422 end, k.order_id from idempotency_keys k
  where k.account_id = p_account and k.key = p_claim.key and k.created_at > p_claim.since
$$;
