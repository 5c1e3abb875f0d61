-- Tables of accounts carry the account in their key, so that they can lie beside it; and an acceptance is found by its key
-- even where the table was empty when that was planned.
alter table account_notices drop constraint account_notices_pkey, add primary key (id, account_id);
alter table identity_checks drop constraint identity_checks_pkey, drop constraint identity_checks_state_digest_key,
  add primary key (id, account_id), add unique (state_digest, account_id);
drop index legal_acceptances_of_text;
create index legal_acceptances_of_text on legal_acceptances (kind, version, user_id);
