-- Receipts about submits that their dispatcher remembers: which messages they end, and the other receipts, which are looked for.
create or replace function known_receipts_1(p_receipts receipt_columns, p_fresh fresh_columns, out ends message_ends, out unknown receipt_columns)
language plpgsql as $$
declare
  v_digests bigint[];
begin
  unknown := p_receipts;
  if coalesce(cardinality(p_fresh.known_messages), 0) = 0 then return; end if;
  -- Nearly always.
  if cardinality(p_fresh.known_messages) = cardinality(p_receipts.ids) and 0 < all (p_fresh.known_messages) then
    ends := row(p_fresh.known_accounts, p_fresh.known_messages, p_receipts.statuses, p_receipts.reasons)::message_ends;
    unknown := null;
    insert into settled_receipts (digests)
      select array_agg(hashtextextended(r.id, r.carrier)) from unnest(p_receipts.ids, p_receipts.carriers) r(id, carrier);
    return;
  end if;
  select array_agg(r.account) filter (where r.message > 0), array_agg(r.message) filter (where r.message > 0),
      array_agg(r.status) filter (where r.message > 0), array_agg(r.reason) filter (where r.message > 0),
      array_agg(hashtextextended(r.id, r.carrier)) filter (where r.message > 0),
      array_agg(r.carrier) filter (where r.is_unknown), array_agg(r.id) filter (where r.is_unknown),
      array_agg(r.status) filter (where r.is_unknown), array_agg(r.reason) filter (where r.is_unknown),
      array_agg(r.number) filter (where r.is_unknown), array_agg(r.repeated) filter (where r.is_unknown)
    into ends.accounts, ends.messages, ends.statuses, ends.reasons, v_digests,
      unknown.carriers, unknown.ids, unknown.statuses, unknown.reasons, unknown.numbers, unknown.repeated
    from (
      select u.*, coalesce(u.message, 0) = 0 as is_unknown
      from unnest(p_receipts.carriers, p_receipts.ids, p_receipts.statuses, p_receipts.reasons, p_receipts.numbers, p_receipts.repeated,
        p_fresh.known_accounts, p_fresh.known_messages) u(carrier, id, status, reason, number, repeated, account, message)) r;
  -- Should they come again, nobody else may be told by them (read_receipts_1).
  if v_digests is not null then insert into settled_receipts (digests) values (v_digests); end if;
end $$;
