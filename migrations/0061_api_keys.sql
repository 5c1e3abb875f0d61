-- Several keys for an account, each with a name. `disabled_at` may lie ahead since then: a rotated key that is still good until
-- that time. (A program of the release before takes such a key for ended: it refuses rather than lets in.)
alter table credentials add column name text not null default '';

-- The last use of each key, written at most once a minute, apart from the credentials: those are read by every call, and a
-- change of theirs outdates what is remembered of the account.
create table credential_uses (
  account_id bigint not null,
  key text not null,
  last_at timestamptz not null,
  address text not null,
  operation text not null,
  primary key (account_id, key)
);
