-- Limits that are counted before they are checked, and codes that come by SMS. sign_in_failures and password_resets are what
-- the release before this one uses; they may go once it is no longer run.

-- One row per limited thing ('pair …', 'reset email …'): one statement counts an attempt and says whether it was one too many.
create table attempts (
  name text primary key,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- No further attempt before this, where pauses grow.
  until timestamptz not null
);
create index attempts_by_time on attempts (last_at);

-- Where somebody has signed in before: strangers who fail there, or with this person's address, do not make them wait.
create table sign_in_places (
  user_id bigint not null references users (id),
  address text not null,
  last_at timestamptz not null,
  primary key (user_id, address)
);

-- Codes sent by SMS: to set a new password, to prove a mobile number. Wishes in the name of unknown people stand here too
-- (without a digest), so that they cost the same.
create table sms_codes (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('reset', 'sign-up')),
  -- Whose code it is: an e-mail address, or one with the number to be proved.
  subject text not null,
  user_id bigint references users (id),
  code_digest bytea,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sms_codes_of_subject on sms_codes (purpose, subject, id);
create index sms_codes_by_time on sms_codes (created_at);

-- Welcome credit is given once per mobile number. Owners of before have had theirs.
create table welcome_credits (
  mobile bigint primary key,
  account_id bigint not null references accounts (id),
  granted_at timestamptz not null default now()
);
insert into welcome_credits (mobile, account_id)
select u.mobile, min(m.account_id) from users u join memberships m on m.user_id = u.id and m.role = 'owner'
where u.mobile is not null group by u.mobile;

-- What must not stand in an order's text (codes): sealed with the key outside the database, put in by the dispatcher as the
-- message leaves. `key` is the order's idempotency key, known before the order is.
create table order_secrets (
  account_id bigint not null,
  key text not null,
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index order_secrets_by_time on order_secrets (created_at);
