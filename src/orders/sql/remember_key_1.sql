create or replace function remember_key_1(p_account bigint, p_claim idempotency_claim, p_order bigint, p_at timestamptz) returns void
language plpgsql as $$
begin
  insert into idempotency_keys (account_id, key, body_digest, order_id, created_at)
    values (p_account, p_claim.key, p_claim.body_digest, p_order, p_at)
    on conflict (account_id, key) do update set body_digest = excluded.body_digest, order_id = excluded.order_id,
      created_at = excluded.created_at;
end $$;
