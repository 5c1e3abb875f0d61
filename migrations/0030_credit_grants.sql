-- Keys of credit grants: a grant that is sent twice (a second click, a script that repeats itself) counts once.
create table credit_grants (
  account_id bigint not null references accounts (id),
  key text not null check (length(key) between 1 and 200),
  sms bigint not null,
  amount numeric not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
