-- Whether anybody of this account was blacklisted, or withdrew consent (p_list: the order needs one), since its recipients were judged;
-- or the account has no subscription any more by which anybody consents.
create or replace function objections_since_1(p_account bigint, p_list text, p_since timestamptz)
returns table (are_there boolean) language sql stable as $$
  select exists (select 1 from blacklist_entries b where b.account_id = p_account and b.added_at >= p_since)
    or (p_list is not null and (
      exists (select 1 from consent_records r where r.account_id = p_account and r.status = 'RET' and r.created_at >= p_since)
      -- An ONAY that the registry has refused.
      or exists (select 1 from consent_records r where r.account_id = p_account and not r.counts and r.synced_at >= p_since)
      or not exists (select 1 from brands d where d.account_id = p_account and d.active)))
$$;
