-- Calls of the API that succeeded, for the owner's API log: the newest 1,000 of an account, at most 30 days. Numbers of all
-- calls are in api_usage.
create table api_calls (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  at timestamptz not null,
  operation text not null,
  ms integer not null,
  order_id bigint,
  -- The first eight characters of the key; null for the login of older clients.
  key_start text,
  address text not null
);
create index api_calls_by_account on api_calls (account_id, id desc);

-- With which key; null where it was none of ours, and in rows of before.
alter table api_refusals add column key_start text;
