-- Name and password of clients that know no key and hash: off unless the account's owner switches it on. The password is
-- random and ours, opens nothing but the API, and is stored as its SHA-256, like the hash of a key. A login that was switched
-- off stays, so that the owner can be told why it no longer works.
create table old_logins (
  account_id bigint primary key references accounts (id),
  username text not null unique check (length(username) between 1 and 64),
  password_digest bytea not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
